import { collectionMoves } from '@hengfu/contract/collections';
import { formatAmount } from '@hengfu/contract/money';
import { canMove } from '@hengfu/contract/moves';
import type { MerchantTx } from '#db/database.ts';
import type { ApprovalEffects } from '#domain/approvals.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { freeUnsettled, holdSettling } from '#domain/settling.sql.ts';
import { invalidTransition } from '../collections.moves.ts';
import {
  type Collection,
  findCollection,
  insertEvent,
  lockCollection,
  setRefundApproval,
} from '../collections.sql.ts';

/** Starts a refund of an order that the transaction has locked, with the merchant's unsettled funds held. */
type Begin = (tx: MerchantTx, order: Collection) => Promise<unknown>;

/** Approval of refunds: the request is kept beside the order, and nothing is posted before it is approved. */
export function refundApproval(begin: Begin): ApprovalEffects {
  return {
    async approved(tx, tradeNo) {
      await holdSettling(tx);
      const order = await lockAsked(tx, tradeNo);
      await assertRefundable(tx, order);
      const approved = await setRefundApproval(tx, order, 'approved');
      await insertEvent(tx, approved, { reason: 'refund_approval_given' });
      await begin(tx, approved);
    },
    async ended(tx, tradeNo, { state, reason }) {
      const order = await setRefundApproval(tx, await lockAsked(tx, tradeNo), state);
      await insertEvent(tx, order, { reason: `refund_approval_${state}`, detail: reason });
      tx.changed(tx.merchantId, 'collections');
    },
    async marks(tx, tradeNo) {
      const order = await findCollection(tx, { tradeNo });
      if (!order) return [];
      const needed = order.amountMinor - order.feeMinor;
      if ((await freeUnsettled(tx)) >= needed) return [];
      // Not how much there is: that changes with every payment.
      return [{ mark: 'fundsTooLow', before: formatAmount(needed, order.currency), after: null }];
    },
  };
}

/**
 * Throws `invalid_transition` if an order cannot be refunded, and `insufficient_funds` if the unsettled funds that no settlement is
 * about to move do not cover it. The transaction has locked the order, and holds those funds.
 */
export async function assertRefundable(tx: MerchantTx, order: Collection): Promise<void> {
  if (!canMove(collectionMoves, order.status, 'refunded')) throw invalidTransition(order);
  if ((await freeUnsettled(tx)) < order.amountMinor - order.feeMinor) throw new Refusal('insufficient_funds');
}

async function lockAsked(tx: MerchantTx, tradeNo: string): Promise<Collection> {
  const order = await lockCollection(tx, tradeNo);
  if (order?.refundApprovalState !== 'waiting') throw new Refusal('conflict');
  return order;
}
