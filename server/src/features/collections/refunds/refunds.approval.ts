import { formatAmount } from '@hengfu/contract/money';
import type { MerchantTx } from '#db/database.ts';
import type { ApprovalEffects } from '#domain/approvals.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { freeUnsettled, holdSettling } from '#domain/settling.sql.ts';
import { type Collection, findCollection, insertEvent, lockCollection } from '../collections.sql.ts';
import { feeOf, fund, type RefundBooking } from './refunds.booking.ts';
import { changeRefund, findAsked, findRefundTerms, type Refund, setLatestApproval } from './refunds.sql.ts';

/** Approval of refunds: a request is kept as a refund that is not posted before it is approved. */
export function refundApproval(booking: RefundBooking): ApprovalEffects {
  return {
    async approved(tx, subjectNo) {
      await holdSettling(tx);
      const { order, refund } = await lockAsked(tx, subjectNo);
      const funding = await fund(tx, order, refund.amount_minor);
      const approved = await changeRefund(tx, refund, { approvalState: 'approved' });
      if (!approved) throw new Refusal('conflict');
      const marked = await setLatestApproval(tx, order, refund, 'approved');
      await insertEvent(tx, marked, { reason: 'refund_approval_given' });
      await booking.begin(tx, marked, approved, funding);
    },
    async ended(tx, subjectNo, end) {
      const { order, refund } = await lockAsked(tx, subjectNo);
      await booking.giveUp(tx, await setLatestApproval(tx, order, refund, end.state), refund, end);
    },
    async marks(tx, subjectNo) {
      const refund = await findAsked(tx, subjectNo);
      const order = refund && (await findCollection(tx, { tradeNo: refund.trade_no }));
      if (!order) return [];
      const terms = await findRefundTerms(tx, order);
      if (terms.mayTakeAvailable) return [];
      const needed = refund.amount_minor - feeOf(order, refund.amount_minor, terms);
      if ((await freeUnsettled(tx)) >= needed) return [];
      // Not how much there is: that changes with every payment.
      return [{ mark: 'fundsTooLow', before: formatAmount(needed, order.currency), after: null }];
    },
  };
}

async function lockAsked(tx: MerchantTx, subjectNo: string): Promise<{ order: Collection; refund: Refund }> {
  const asked = await findAsked(tx, subjectNo);
  const order = asked && (await lockCollection(tx, asked.trade_no));
  // Read again now that its collection is locked.
  const refund = order && (await findAsked(tx, subjectNo));
  if (!order || !refund) throw new Refusal('conflict');
  return { order, refund };
}
