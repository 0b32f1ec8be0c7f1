/** An order in the model: only the fields that affect money. */
export interface ModelOrder {
  kind: 'collection' | 'payout' | 'withdrawal';
  /** Our order number; empty until the product has assigned one. */
  tradeNo: string;
  number: string;
  status: string;
  amountMinor: bigint;
  feeMinor: bigint;
  hasChannel: boolean;
  refunds: ModelRefund[];
  settlement: 'none' | 'unsettled' | 'settled' | 'never';
}

/** A refund of a part of an order. */
export interface ModelRefund {
  amountMinor: bigint;
  feeMinor: bigint;
  availableMinor: bigint;
  state: 'processing' | 'refunded' | 'failed';
  /** The place among all refunds of the merchant that ended. */
  ended: number;
  isSettled: boolean;
}

export interface ModelBalances {
  available: bigint;
  locked: bigint;
  unsettled: bigint;
}

/** Fee rates of the test merchants, in millionths; fees are rounded half up. */
const collectionRate = 6000n;
const payoutRate = 2000n;
const million = 1_000_000n;
const share = (amountMinor: bigint, rate: bigint) => (amountMinor * rate + million / 2n) / million;

const withdrawalFeeMinor = 1400n;
/** `done`, or the error code of a refusal. */
export type Outcome = 'done' | string;

const live = (order: ModelOrder) => order.refunds.filter(({ state }) => state !== 'failed');
/** Minor units of an order that are given back, or under way. */
const givenBack = (order: ModelOrder) => sumOf(live(order), ({ amountMinor }) => amountMinor);
/** The part of a refund that unsettled funds paid. */
const costOf = ({ amountMinor, feeMinor, availableMinor }: ModelRefund) =>
  amountMinor - feeMinor - availableMinor;
const sumOf = <T>(all: readonly T[], of: (one: T) => bigint) => all.reduce((sum, one) => sum + of(one), 0n);

/** The first ones whose sum does not exceed a limit. */
function upTo<T>(all: readonly T[], of: (one: T) => bigint, limit: bigint): T[] {
  let sum = 0n;
  return all.filter((one) => {
    sum += of(one);
    return sum <= limit;
  });
}

/** One operation: the outcome that the model expects, and the call to the product. */
export interface Step {
  name: string;
  expected: Outcome;
  act: () => Promise<unknown>;
}

/** The request context of every call. */
export const request = { id: 'r', address: '127.0.0.1', userAgent: undefined, language: 'en' } as const;

/** Formats minor units as a decimal amount. */
export const text = (minor: bigint) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;

/**
 * An independent, minimal implementation of the rules of orders and money: no database, no clock. Each
 * operation returns the outcome that the product must return, and changes the model if that is `done`.
 */
export class Model {
  readonly balances: ModelBalances = { available: 0n, locked: 0n, unsettled: 0n };
  readonly orders: ModelOrder[] = [];
  readonly refundTerms: { isFeeKept: boolean; mayTakeAvailable: boolean };
  /** Paid collections, in order of payment. */
  readonly #paid: ModelOrder[] = [];
  #ended = 0;

  constructor(refundTerms: { isFeeKept: boolean; mayTakeAvailable: boolean }) {
    this.refundTerms = refundTerms;
  }

  add(order: Pick<ModelOrder, 'kind' | 'number' | 'amountMinor' | 'hasChannel'>): ModelOrder {
    const { kind, amountMinor } = order;
    const added: ModelOrder = {
      ...order,
      tradeNo: '',
      refunds: [],
      settlement: 'none',
      status: { collection: 'toBePaid', payout: 'pending', withdrawal: 'pendingReview' }[kind],
      feeMinor:
        kind === 'payout' ? share(amountMinor, payoutRate) : kind === 'withdrawal' ? withdrawalFeeMinor : 0n,
    };
    this.orders.push(added);
    return added;
  }

  /** Moves money from available to locked funds. */
  hold(amountMinor: bigint): Outcome {
    if (this.balances.available < amountMinor) return 'insufficient_funds';
    this.balances.available -= amountMinor;
    this.balances.locked += amountMinor;
    return 'done';
  }

  pay(order: ModelOrder): void {
    if (!['toBePaid', 'closed', 'failed', 'cancelled'].includes(order.status)) return;
    order.status = 'success';
    order.feeMinor = share(order.amountMinor, collectionRate);
    order.settlement = 'unsettled';
    this.balances.unsettled += order.amountMinor - order.feeMinor;
    this.#paid.push(order);
  }

  cancel(order: ModelOrder): Outcome {
    if (order.status === 'cancelled') return 'done';
    if (order.status !== 'toBePaid') return 'invalid_transition';
    order.status = 'cancelled';
    return 'done';
  }

  /** Refunds all that is left, as the call without an amount: if all was given back, or is being given back, it changes nothing. */
  refundWhole(order: ModelOrder): Outcome {
    const left = order.amountMinor - givenBack(order);
    return left === 0n ? 'done' : this.refund(order, left);
  }

  refund(order: ModelOrder, amountMinor: bigint): Outcome {
    if (order.status !== 'success') return 'invalid_transition';
    const given = givenBack(order);
    if (amountMinor > order.amountMinor - given) return 'refund_exceeds';
    const returned = live(order).reduce((sum, { feeMinor }) => sum + feeMinor, 0n);
    const due = (order.feeMinor * (given + amountMinor)) / order.amountMinor - returned;
    const feeMinor = this.refundTerms.isFeeKept || due < 0n ? 0n : due;
    const net = amountMinor - feeMinor;
    const missing = net > this.balances.unsettled ? net - this.balances.unsettled : 0n;
    const covered = this.refundTerms.mayTakeAvailable ? this.balances.available : 0n;
    if (missing > covered) return 'insufficient_funds';
    this.balances.available -= missing;
    this.balances.unsettled -= net - missing;
    const refund = { amountMinor, feeMinor, availableMinor: missing, ended: 0, isSettled: false };
    order.refunds.push({ ...refund, state: 'processing' });
    return 'done';
  }

  /** Ends the refund of an order that is under way; its money returns to where it came from if it failed. */
  endRefund(order: ModelOrder, refund: ModelRefund, state: 'refunded' | 'failed'): void {
    refund.state = state;
    refund.ended = ++this.#ended;
    if (state === 'failed') {
      this.balances.available += refund.availableMinor;
      this.balances.unsettled += costOf(refund);
      return;
    }
    const done = order.refunds.filter((one) => one.state === 'refunded');
    if (done.reduce((sum, one) => sum + one.amountMinor, 0n) < order.amountMinor) return;
    order.status = 'refunded';
    const cost = done.reduce((sum, one) => sum + costOf(one), 0n);
    const isUntouched = order.settlement === 'unsettled' && done.every(({ isSettled }) => !isSettled);
    if (!isUntouched || cost !== order.amountMinor - order.feeMinor) return;
    order.settlement = 'never';
    for (const one of done) one.isSettled = true;
  }

  /**
   * Moves paid orders to available funds, oldest first, less the refunds of settled orders, as far as unsettled funds cover them. An order
   * whose refund is under way waits.
   */
  settle(): void {
    const open = this.#paid.filter(
      (order) =>
        order.settlement === 'unsettled' && order.refunds.every(({ state }) => state !== 'processing'),
    );
    const waiting = this.#paid
      .filter((order) => order.settlement === 'settled' || open.includes(order))
      .flatMap(({ refunds }) => refunds)
      .filter(({ state, isSettled }) => state === 'refunded' && !isSettled)
      .toSorted((one, other) => one.ended - other.ended);
    const netOf = (order: ModelOrder) => order.amountMinor - order.feeMinor;
    const total = waiting.reduce((sum, one) => sum + costOf(one), 0n);
    const most = upTo(open, netOf, this.balances.unsettled + total);
    const refunds = upTo(waiting, costOf, sumOf(most, netOf));
    const payments = upTo(open, netOf, this.balances.unsettled + sumOf(refunds, costOf));
    const net = sumOf(payments, netOf) - sumOf(refunds, costOf);
    if (payments.length === 0 || net < 0n) return;
    this.balances.unsettled -= net;
    this.balances.available += net;
    for (const order of payments) order.settlement = 'settled';
    for (const refund of refunds) refund.isSettled = true;
  }

  /** Ends a payout or withdrawal: its locked funds leave, or return to available funds if it was not paid. */
  release(order: ModelOrder, to: string, isPaid: boolean): void {
    const total = order.amountMinor + order.feeMinor;
    order.status = to;
    this.balances.locked -= total;
    if (!isPaid) this.balances.available += total;
  }
}
