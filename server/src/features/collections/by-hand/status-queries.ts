import { queryAfterExpiryMs } from '#channels/last-query.rules.ts';
import { isPast, type MerchantTx } from '#db/database.ts';
import { enqueue } from '#jobs/jobs.ts';
import { isGivenUp, queryDelaySeconds } from '../collections.rules.ts';
import type { Collection } from '../collections.sql.ts';

/** The task that asks a channel for the outcome of a payment. */
export const queryTask = 'collections.ask';

/** Schedules a query of a payment's outcome at its channel; the delay grows with `attempt`. */
export async function scheduleStatusQuery(
  tx: MerchantTx,
  tradeNo: string,
  attempt = 0,
  delaySeconds = queryDelaySeconds(attempt),
): Promise<void> {
  const payload = { merchantId: String(tx.merchantId), tradeNo, attempt };
  await enqueue(tx, queryTask, payload, { key: `ask:${tradeNo}`, delaySeconds });
}

/** Whether an order's channel may have a payment that is not booked here. */
export function awaitsPayment({ status, channel }: Collection): boolean {
  return channel !== null && (status === 'toBePaid' || isGivenUp(status));
}

/** Whether the channel of an order is still asked about a payment, which ends a day after the order's expiry. */
export async function canBeAsked(tx: MerchantTx, order: Collection): Promise<boolean> {
  if (!awaitsPayment(order)) return false;
  const lastQueryAt = new Date(order.expiresAt.getTime() + queryAfterExpiryMs);
  return !(await isPast(tx, lastQueryAt));
}
