import { newAccountDays, type ShownMark } from '@hengfu/contract/approvals';
import { formatAmount } from '@hengfu/contract/money';
import type { MerchantTx } from '#db/database.ts';
import type { ApprovalEffects, RequestEnd } from '#domain/approvals.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { enqueue } from '#jobs/jobs.ts';
import { sendTask } from '../payouts.dispatch.ts';
import { reject } from '../payouts.moves.ts';
import { insertEvent, lockPayout, type Payout, setApprovalState } from '../payouts.sql.ts';
import { readApprovalFacts } from './payout-approval.sql.ts';

/** Approval of payouts: one that waits is sent once it is approved, and rejected if it is not. */
export const payoutApproval: ApprovalEffects = {
  async approved(tx, tradeNo) {
    const order = await setApprovalState(tx, await lockWaiting(tx, tradeNo), 'approved');
    await insertEvent(tx, order, { reason: 'approval_given' });
    const { merchantId } = tx;
    await enqueue(tx, sendTask, { merchantId: String(merchantId), tradeNo }, { key: `send:${tradeNo}` });
    tx.changed(merchantId, 'payouts');
  },
  async ended(tx, tradeNo, end) {
    await rejectWaiting(tx, await lockWaiting(tx, tradeNo), end);
  },
  async marks(tx, tradeNo) {
    return marksOf(await readApprovalFacts(tx, tradeNo, newAccountDays));
  },
};

/** Rejects a payout whose request has ended without an approval. */
export async function rejectWaiting(
  tx: MerchantTx,
  order: Payout,
  { state, reason }: RequestEnd,
): Promise<void> {
  const ended = await setApprovalState(tx, order, state);
  await reject(tx, ended, { reason: `approval_${state}`, detail: reason });
}

async function lockWaiting(tx: MerchantTx, tradeNo: string): Promise<Payout> {
  const order = await lockPayout(tx, tradeNo);
  if (order?.approvalState !== 'waiting' || order.status !== 'pending') throw new Refusal('conflict');
  return order;
}

function marksOf(facts: Awaited<ReturnType<typeof readApprovalFacts>>): ShownMark[] {
  if (!facts) return [];
  const { currency, feeMinor, feeNowMinor, isNewAccount, otherAccount, account, equalNo } = facts;
  const marks: ShownMark[] = [];
  if (isNewAccount && otherAccount !== null)
    marks.push({ mark: 'changedAccount', before: otherAccount, after: account });
  else if (isNewAccount) marks.push({ mark: 'newAccount', before: null, after: account });
  if (feeNowMinor !== feeMinor)
    marks.push({
      mark: 'changedFee',
      before: formatAmount(feeMinor, currency),
      after: feeNowMinor === null ? null : formatAmount(feeNowMinor, currency),
    });
  if (equalNo !== null) marks.push({ mark: 'equalPayment', before: null, after: equalNo });
  return marks;
}
