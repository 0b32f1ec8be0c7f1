import { formatAmount } from '@hengfu/contract/money';
import type { RefundFailure } from '@hengfu/contract/refunds';
import type { RefundEvent } from '@hengfu/contract/refunds.open';
import { queueCallback } from '#callbacks/callbacks.ts';
import type { MerchantTx } from '#db/database.ts';
import { Refusal } from '#domain/refusal.ts';
import { freeUnsettled } from '#domain/settling.sql.ts';
import { enqueue } from '#jobs/jobs.ts';
import { balances, type LedgerEntry, post } from '#ledger/ledger.ts';
import type { CollectionMoves } from '../collections.moves.ts';
import { type Collection, insertEvent } from '../collections.sql.ts';
import { returnedFee } from './refunds.rules.ts';
import {
  changeRefund,
  countRefunds,
  findRefundTerms,
  leaveSettlements,
  type Refund,
  type RefundTerms,
} from './refunds.sql.ts';
import { toOpenRefund } from './refunds.view.ts';

/** Task that sends a refund to its channel; enqueued by the transaction that posts it. */
export const sendTask = 'refunds.send';

/** Schedules sending a refund to its channel. */
export async function planSend(tx: MerchantTx, refund: Refund, delaySeconds = 0): Promise<void> {
  await enqueue(tx, sendTask, jobOf(tx, refund), { key: `refund:${refund.refund_no}`, delaySeconds });
}

/** Returns the payload of a job about a refund. The channel is for fair scheduling; jobs of earlier versions name none. */
export function jobOf({ merchantId }: MerchantTx, { refund_no: refundNo, channel }: Refund) {
  return { merchantId: String(merchantId), refundNo, channel };
}

/** The part of the fee that a refund returns, and the part that it takes from available funds; minor units. */
export interface Funding {
  feeMinor: bigint;
  availableMinor: bigint;
}

/**
 * Returns how a refund is paid: unsettled funds that no settlement is about to move come first, then available funds as far as the terms
 * allow. Throws `insufficient_funds` with the shortfall. The transaction has locked the order, and holds the unsettled funds.
 * `returnedFeeMinor`: the part of the fee that is returned, if not by the terms.
 */
export async function fund(
  tx: MerchantTx,
  order: Collection,
  amountMinor: bigint,
  returnedFeeMinor?: bigint,
): Promise<Funding> {
  const terms = await findRefundTerms(tx, order);
  const feeMinor = returnedFeeMinor ?? feeOf(order, amountMinor, terms);
  const netMinor = amountMinor - feeMinor;
  const free = await freeUnsettled(tx);
  // Unsettled funds never have less than the settlements that are under way.
  const missing = netMinor > free ? netMinor - free : 0n;
  if (missing > 0n) {
    const { available } = await balances(tx, order.currency);
    const covered = terms.mayTakeAvailable ? available : 0n;
    if (covered < missing) throw fundsTooLow(order, missing - covered);
  }
  return { feeMinor, availableMinor: missing };
}

/** Returns the part of the fee that a refund of an amount would return now, in minor units. */
export function feeOf(order: Collection, amountMinor: bigint, { isFeeKept }: RefundTerms): bigint {
  if (isFeeKept) return 0n;
  const payment = {
    amountMinor: order.amountMinor,
    feeMinor: order.feeMinor,
    givenBackMinor: order.refundedMinor + order.refundingMinor,
    returnedFeeMinor: order.refundedFeeMinor + order.refundingFeeMinor,
  };
  return returnedFee(payment, amountMinor);
}

/** Returns the refusal of a refund that the merchant's funds do not cover, with the amount that is missing. */
function fundsTooLow({ currency }: Collection, missingMinor: bigint): Refusal {
  const shortfall = formatAmount(missingMinor, currency);
  return new Refusal('insufficient_funds', {
    details: { shortfall, currency },
    fields: [{ field: 'amount', phrase: 'validation.refundShort', values: { shortfall, currency } }],
  });
}

/** The moves of a refund. Each runs in a transaction that has locked the collection; refund, collection, ledger and callback change together. */
export class RefundBooking {
  readonly #moves: CollectionMoves;

  constructor(moves: CollectionMoves) {
    this.#moves = moves;
  }

  /** Posts a refund and plans its call to the channel. Throws `insufficient_funds` if available funds do not cover their part. */
  async begin(
    tx: MerchantTx,
    order: Collection,
    refund: Refund,
    { feeMinor, availableMinor }: Funding,
  ): Promise<Refund> {
    const begun = await this.post(tx, order, refund, { feeMinor, availableMinor });
    await planSend(tx, refund);
    tx.changed(tx.merchantId, 'collections', 'account');
    return begun;
  }

  /** Posts a refund without calling the channel. */
  async post(
    tx: MerchantTx,
    order: Collection,
    refund: Refund,
    funding: Funding,
    at?: Date,
  ): Promise<Refund> {
    const { feeMinor, availableMinor } = funding;
    const begun = await changeRefund(tx, refund, { status: 'processing', feeMinor, availableMinor });
    if (!begun) throw new Refusal('conflict');
    await countRefunds(tx, order, { refundingMinor: refund.amount_minor, refundingFeeMinor: feeMinor });
    await postEntries(tx, order, begun, 1n, at);
    return begun;
  }

  /** Records that the payer has the money back. The last part moves the collection to "refund received". */
  async succeed(tx: MerchantTx, order: Collection, refund: Refund, at?: Date): Promise<void> {
    const { amount_minor: amountMinor, fee_minor: feeMinor } = refund;
    const done = await changeRefund(tx, refund, { status: 'refunded', ...(at && { at }) });
    if (!done) return;
    const counted = await countRefunds(tx, order, {
      refundedMinor: amountMinor,
      refundedFeeMinor: feeMinor,
      refundingMinor: -amountMinor,
      refundingFeeMinor: -feeMinor,
    });
    if (counted.refundedMinor === order.amountMinor) {
      await leaveSettlements(tx, counted);
      await this.#moves.refunded(tx, counted, at);
    } else {
      const detail = `${formatAmount(amountMinor, order.currency)} ${order.currency}`;
      await insertEvent(tx, counted, { reason: 'part_refunded', detail, ...(at && { at }) });
    }
    await this.#notify(tx, counted, done, 'refund.succeeded');
    tx.changed(tx.merchantId, 'collections', 'dashboard');
  }

  /** Ends a refund that the channel did not make: the funds return to where they came from. */
  async fail(
    tx: MerchantTx,
    order: Collection,
    refund: Refund,
    failure: { code: RefundFailure; words: string | null },
  ): Promise<void> {
    const failed = await changeRefund(tx, refund, { status: 'failed', failure });
    if (!failed) return;
    const counted = await countRefunds(tx, order, {
      refundingMinor: -refund.amount_minor,
      refundingFeeMinor: -refund.fee_minor,
    });
    await postEntries(tx, counted, failed, -1n);
    await insertEvent(tx, counted, { reason: 'refund_refused', detail: failure.words });
    await this.#notify(tx, counted, failed, 'refund.failed');
    tx.changed(tx.merchantId, 'collections', 'account');
  }

  /** Ends a refund that was not approved. Nothing was posted. */
  async giveUp(
    tx: MerchantTx,
    order: Collection,
    refund: Refund,
    end: { state: 'refused' | 'withdrawn' | 'expired'; reason: string | null },
  ): Promise<void> {
    const code = end.state === 'refused' ? 'notApproved' : end.state;
    const ended = await changeRefund(tx, refund, {
      status: 'failed',
      approvalState: end.state,
      failure: { code, words: null },
    });
    if (!ended) return;
    await insertEvent(tx, order, { reason: `refund_approval_${end.state}`, detail: end.reason });
    await this.#notify(tx, order, ended, 'refund.failed');
    tx.changed(tx.merchantId, 'collections');
  }

  async #notify(tx: MerchantTx, order: Collection, refund: Refund, event: RefundEvent): Promise<void> {
    const data = toOpenRefund(refund);
    await queueCallback(tx, {
      subjectKind: 'collection',
      subjectNo: order.tradeNo,
      event,
      url: order.notifyUrl,
      body: JSON.stringify({ type: event, timestamp: new Date().toISOString(), data }),
    });
  }
}

/**
 * Posts a refund (sign 1), or reverses it (sign −1). The part that settled funds pay first returns to unsettled funds, as a settlement
 * with the sign reversed: that is how the statement of available funds shows it.
 */
async function postEntries(
  tx: MerchantTx,
  order: Collection,
  refund: Refund,
  sign: 1n | -1n,
  at?: Date,
): Promise<void> {
  const { refund_no: refundNo, amount_minor: amount, fee_minor: fee, available_minor: available } = refund;
  const end = sign === 1n ? '' : ':reversed';
  const settled = async (): Promise<void> => {
    if (available === 0n) return;
    await post(tx, {
      type: 'collection_settlement',
      key: `collection_settlement:${refundNo}${end}`,
      subjectNo: refundNo,
      currency: order.currency,
      entries: [
        { account: 'available', amountMinor: -sign * available },
        { account: 'unsettled', amountMinor: sign * available },
      ],
      ...(at && { at }),
    });
  };
  const entries: LedgerEntry[] = [
    { account: 'unsettled', amountMinor: -sign * (amount - fee) },
    { account: 'fees', amountMinor: -sign * fee },
    { account: 'clearing', reference: refund.channel, amountMinor: sign * amount },
  ];
  const type = sign === 1n ? 'collection_refund' : 'collection_refund_reversal';
  if (sign === 1n) await settled();
  await post(tx, {
    type,
    key: `${type}:${refundNo}`,
    subjectNo: order.tradeNo,
    currency: order.currency,
    entries,
    ...(at && { at }),
  });
  if (sign === -1n) await settled();
}
