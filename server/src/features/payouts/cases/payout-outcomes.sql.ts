import type { Tx } from '#db/database.ts';

/** Reads the latest change to a payout's outcome that two people have agreed on; undefined if there is none. */
export async function readAgreedChange(
  tx: Tx,
  { merchantId, tradeNo }: { merchantId: bigint; tradeNo: string },
): Promise<unknown> {
  const row = await tx.query
    .selectFrom('staff_payout_outcome')
    .select('change')
    .where('merchant_id', '=', merchantId)
    .where('trade_no', '=', tradeNo)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.change;
}

/** Finds the request about a payout's outcome that waits for a second person. */
export async function findWaitingOutcome(tx: Tx, tradeNo: string): Promise<string | null> {
  const row = await tx.query
    .selectFrom('staff_waiting_request')
    .select('id')
    .where('kind', '=', 'payoutOutcome')
    .where('subject', '=', tradeNo)
    .executeTakeFirst();
  return row ? String(row.id) : null;
}

/** Whether somebody is one of the two who decided the outcome of a payout. `by`: as requests name them. */
export async function hasDecided(tx: Tx, tradeNo: string, by: string): Promise<boolean> {
  const row = await tx.query
    .selectFrom('staff_request')
    .select('id')
    .where('kind', '=', 'payoutOutcome')
    .where('subject', '=', tradeNo)
    .where('state', '=', 'approved')
    .where((each) => each.or([each('requested_by', '=', by), each('ended_by', '=', by)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
