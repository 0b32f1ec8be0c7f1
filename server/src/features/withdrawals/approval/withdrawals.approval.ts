import { newAccountDays, type ShownMark } from '@hengfu/contract/approvals';
import type { MerchantTx } from '#db/database.ts';
import type { ApprovalEffects, RequestEnd } from '#domain/approvals.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { findWithdrawal, setApprovalState, type Withdrawal } from '../withdrawals.sql.ts';
import { readApprovalFacts } from './withdrawals-approval.sql.ts';

/** Ends a withdrawal that was not approved: it is rejected, and its funds return. */
type Reject = (tx: MerchantTx, order: Withdrawal, end: RequestEnd) => Promise<void>;

/** Approval of withdrawals: the service's staff reviews one once it is approved. */
export function withdrawalApproval(reject: Reject): ApprovalEffects {
  return {
    async approved(tx, tradeNo) {
      await setApprovalState(tx, await lockWaiting(tx, tradeNo), 'approved');
      tx.changed(tx.merchantId, 'withdrawals');
    },
    async ended(tx, tradeNo, end) {
      await reject(tx, await setApprovalState(tx, await lockWaiting(tx, tradeNo), end.state), end);
    },
    async marks(tx, tradeNo) {
      const facts = await readApprovalFacts(tx, tradeNo, newAccountDays);
      if (!facts) return [];
      const marks: ShownMark[] = [];
      if (facts.isNewAddress) marks.push({ mark: 'newAccount', before: null, after: facts.address });
      if (facts.rateNow !== facts.rate)
        marks.push({ mark: 'changedRate', before: facts.rate, after: facts.rateNow });
      if (facts.equalNo !== null) marks.push({ mark: 'equalPayment', before: null, after: facts.equalNo });
      return marks;
    },
  };
}

async function lockWaiting(tx: MerchantTx, tradeNo: string): Promise<Withdrawal> {
  const order = await findWithdrawal(tx, tradeNo, { isHeld: true });
  if (order?.approvalState !== 'waiting' || order.status !== 'pendingReview') throw new Refusal('conflict');
  return order;
}
