import { maxContradictions, type PayoutOutcome } from '@hengfu/contract/staff/orders';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** Identifies a report about a payout. */
export interface ContradictionKey {
  /** The channel's report, or the bank's statement that two people have read. */
  source: 'channel' | 'statement';
  reported: PayoutOutcome;
  bankReference: string;
}

/** A report that contradicts the outcome of a payout. */
export interface Contradiction extends ContradictionKey {
  at: Date;
}

/**
 * Keeps a contradiction until our staff have settled it. The same report about the same booking is kept once. Returns false if it is known
 * already, also if it was settled since.
 */
export async function insertContradiction(
  tx: MerchantTx,
  order: { id: bigint; tradeNo: string },
  { source, reported, bankReference }: ContradictionKey,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.query
    .insertInto('payout_contradiction')
    .values({
      merchant_id: tx.merchantId,
      payout_id: order.id,
      trade_no: order.tradeNo,
      source,
      reported,
      bank_reference: bankReference,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Lists contradictions of a payout that nobody has settled yet, the oldest ones first. */
export function listOpenContradictions(tx: MerchantTx, { id }: { id: bigint }): Promise<Contradiction[]> {
  return tx.query
    .selectFrom('payout_contradiction')
    .select(['source', 'reported', 'bank_reference as bankReference', 'at'])
    .where('merchant_id', '=', tx.merchantId)
    .where('payout_id', '=', id)
    .where('settled_at', 'is', null)
    .orderBy('at')
    .limit(maxContradictions)
    .execute();
}

/** Settles the given contradictions of a payout, as far as they are open. Returns how many are settled by it. */
export async function settleContradictions(
  tx: MerchantTx,
  { id }: { id: bigint },
  reports: readonly ContradictionKey[],
  { by, note }: { by: string; note: string },
): Promise<number> {
  const column = (name: keyof ContradictionKey) => sql`${reports.map((report) => report[name])}::text[]`;
  const { rows } = await sql`
    update payout_contradiction c set settled_at = now(), settled_by = ${by}, note = ${note}
    from unnest(${column('source')}, ${column('reported')}, ${column('bankReference')}) as r (source, reported, bank_reference)
    where c.merchant_id = ${tx.merchantId} and c.payout_id = ${id} and c.settled_at is null
      and c.source = r.source and c.reported = r.reported and c.bank_reference = r.bank_reference
    returning c.source`.execute(tx.query);
  return rows.length;
}
