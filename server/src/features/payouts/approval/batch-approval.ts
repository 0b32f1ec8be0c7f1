import { type ApprovalMark, newAccountDays, type ShownMark } from '@hengfu/contract/approvals';
import type { ApprovalEffects } from '#domain/approvals.sql.ts';
import { countRows, endBatchApproval, isTaken } from './batch-approval.sql.ts';
import { planBatchDecision } from './batch-decision.job.ts';
import { type BatchFacts, readBatchFacts } from './payout-approval.sql.ts';

/**
 * Approval of batches. The batch itself changes in the transaction of the decision; a job does the same for its payouts, which
 * can be thousands.
 */
export const batchApproval: ApprovalEffects = {
  async approved(tx, batchNo) {
    await endBatchApproval(tx, batchNo, 'approved');
    await planBatchDecision(tx, batchNo);
  },
  async ended(tx, batchNo, { state }) {
    await endBatchApproval(tx, batchNo, state);
    await planBatchDecision(tx, batchNo);
  },
  async marks(tx, batchNo) {
    return marksOf(await readBatchFacts(tx, batchNo, newAccountDays));
  },
  countRows,
  isReady: isTaken,
};

function marksOf({ newAccounts, changedAccounts, changedFees, equalPayments }: BatchFacts): ShownMark[] {
  const counts: [ApprovalMark, number][] = [
    ['newAccount', newAccounts],
    ['changedAccount', changedAccounts],
    ['changedFee', changedFees],
    ['equalPayment', equalPayments],
  ];
  return counts
    .filter(([, count]) => count > 0)
    .map(([mark, count]) => ({ mark, before: null, after: String(count) }));
}
