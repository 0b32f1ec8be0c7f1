import type { PayoutOutcome } from '@hengfu/contract/staff/orders';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** A channel that reports endlessly fills no page. */
const maxShown = 50;

/** A report that contradicts the outcome of a payout. */
export interface Contradiction {
  /** The channel's report, or the bank's statement that two people have read. */
  source: 'channel' | 'statement';
  reported: PayoutOutcome;
  bankReference: string;
  at: Date;
}

/**
 * Keeps a contradiction until our staff have settled it. The same report about the same booking is kept once. Returns false if it is known
 * already, also if it was settled since.
 */
export async function insertContradiction(
  tx: MerchantTx,
  order: { id: bigint; tradeNo: string },
  { source, reported, bankReference }: Omit<Contradiction, 'at'>,
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
    .limit(maxShown)
    .execute();
}

/** Settles the open contradictions of a payout. Returns how many there were. */
export async function settleContradictions(
  tx: MerchantTx,
  { id }: { id: bigint },
  { by, note }: { by: string; note: string },
): Promise<number> {
  const rows = await tx.query
    .updateTable('payout_contradiction')
    .set({ settled_at: sql<Date>`now()`, settled_by: by, note })
    .where('merchant_id', '=', tx.merchantId)
    .where('payout_id', '=', id)
    .where('settled_at', 'is', null)
    .returning('source')
    .execute();
  return rows.length;
}
