import { canMove } from '@hengfu/contract/moves';
import type { PayoutStatus } from '@hengfu/contract/payouts';
import { payoutMoves } from '@hengfu/contract/payouts';
import type { PayoutEvent } from '@hengfu/contract/payouts.open';
import { queueCallback } from '#callbacks/callbacks.ts';
import type { MerchantTx } from '#db/database.ts';
import { moneyFacts, writeNotice } from '#domain/notices.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { dequeue } from '#jobs/jobs.ts';
import { type LedgerEntry, post, type TransferType } from '#ledger/ledger.ts';
import { hasEnded, queryJobKey } from './payouts.rules.ts';
import { insertEvent, type MoveChanges, movePayout, type Payout } from './payouts.sql.ts';
import { toOpenPayout } from './payouts.view.ts';
import { isReportedByBatch } from './payouts-lookup.sql.ts';

/**
 * The moves of a payout. Each runs in the transaction of its caller, which has locked the payout; status, rollup (by a
 * trigger), ledger, timeline, callback and notice change together or not at all. Locks are taken in one order, so that
 * no two moves deadlock: the payout, the merchant's rollup stripe, the job that would query it, the ledger's accounts,
 * the batch.
 */

/**
 * Records that the payout may reach the channel from now on; false if it has been sent, or has ended, before.
 */
export async function markSent(tx: MerchantTx, order: Payout): Promise<boolean> {
  if (!canMove(payoutMoves, order.status, 'pendingSettlement')) return false;
  await move(tx, order, 'pendingSettlement', { reason: 'sent' });
  return true;
}

/** Records that the channel has accepted the payout and is processing it. */
export async function markAccepted(tx: MerchantTx, order: Payout): Promise<Payout> {
  return canMove(payoutMoves, order.status, 'processing')
    ? move(tx, order, 'processing', { reason: 'channel_accepted' })
    : order;
}

/** Records that the channel, or its statement, shows the payment: amount and fee leave the account. */
export async function markPaid(
  tx: MerchantTx,
  order: Payout,
  { bankReference, reason = 'channel_paid' }: { bankReference: string; reason?: string },
): Promise<Payout> {
  const { amountMinor, feeMinor, channel } = order;
  const moved = await move(tx, order, 'processed', { reason, bankReference });
  await postTransfer(tx, order, 'payout_payment', [
    { account: 'locked', amountMinor: -(amountMinor + feeMinor) },
    { account: 'clearing', reference: channel, amountMinor },
    { account: 'fees', amountMinor: feeMinor },
  ]);
  await queuePayoutCallback(tx, moved, 'payout.processed');
  tx.changed(tx.merchantId, 'dashboard');
  return moved;
}

/** Rejects a payout: amount and fee return to available funds. */
export async function reject(
  tx: MerchantTx,
  order: Payout,
  why: Pick<MoveChanges, 'refused' | 'detail'> & { reason: string },
): Promise<Payout> {
  const total = order.amountMinor + order.feeMinor;
  const moved = await move(tx, order, 'rejected', why);
  await postTransfer(tx, order, 'payout_refund', [
    { account: 'locked', amountMinor: -total },
    { account: 'available', amountMinor: total },
  ]);
  await queuePayoutCallback(tx, moved, 'payout.rejected');
  if (!(await isReportedByBatch(tx, moved))) {
    const { merchantId, tradeNo: subject } = moved;
    await writeNotice(tx, { merchantId, kind: 'payoutRejected', subject, facts: moneyFacts(moved) });
  }
  return moved;
}

async function move(
  tx: MerchantTx,
  order: Payout,
  to: PayoutStatus,
  change: MoveChanges & { reason: string },
): Promise<Payout> {
  const moved = canMove(payoutMoves, order.status, to) ? await movePayout(tx, order, to, change) : undefined;
  if (!moved)
    throw new Refusal('invalid_transition', { values: { status: `payouts.status.${order.status}` } });
  await insertEvent(tx, moved, change);
  if (hasEnded(to)) await dequeue(tx, queryJobKey(order.tradeNo));
  tx.changed(tx.merchantId, 'payouts', 'account');
  return moved;
}

function postTransfer(
  tx: MerchantTx,
  { tradeNo, currency }: Pick<Payout, 'tradeNo' | 'currency'>,
  type: TransferType,
  entries: readonly LedgerEntry[],
): Promise<void> {
  const key = `${type}:${tradeNo}`;
  return post(tx, { type, key, subjectNo: tradeNo, currency, entries });
}

/** Queues the callbacks of an event to the merchant's systems. */
async function queuePayoutCallback(tx: MerchantTx, order: Payout, event: PayoutEvent): Promise<void> {
  const body = JSON.stringify({
    type: event,
    timestamp: new Date().toISOString(),
    data: toOpenPayout(order),
  });
  await queueCallback(tx, {
    subjectKind: 'payout',
    subjectNo: order.tradeNo,
    event,
    url: order.notifyUrl,
    body,
  });
}
