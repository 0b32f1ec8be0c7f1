import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** Switches the transaction to another merchant, to post to its ledger. */
export async function forMerchant(tx: MerchantTx, merchantId: bigint): Promise<MerchantTx> {
  await sql`select set_config('app.merchant_id', ${String(merchantId)}, true)`.execute(tx.prepared);
  return tx.ofMerchant(merchantId);
}

/** A side of a transfer between merchants, as it was posted and audited. */
export interface PostedSide {
  number: string;
  /** The details in the audit trail; null once they are in the archive. */
  details: { amount: string; note?: string } | null;
}

/** Finds the transfer that the transaction's merchant has under an idempotency key of the ledger. */
export async function findPostedSide(
  tx: MerchantTx,
  type: 'funds_transfer_out' | 'funds_transfer_in',
  key: string,
): Promise<PostedSide | undefined> {
  const { rows } = await sql<PostedSide>`
    select t.subject_no as number, a.after as details
    from ledger_transfer t
    left join audit a on a.merchant_id = t.merchant_id and a.subject = t.subject_no and a.action = ${`funds.${type}`}
    where t.merchant_id = ${tx.merchantId} and t.idempotency_key = ${key}`.execute(tx.query);
  return rows[0];
}
