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
  isRefundRequested: boolean;
  settlement: 'none' | 'unsettled' | 'settled';
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
  /** Paid collections, in order of payment. */
  readonly #paid: ModelOrder[] = [];

  add(order: Pick<ModelOrder, 'kind' | 'number' | 'amountMinor' | 'hasChannel'>): ModelOrder {
    const { kind, amountMinor } = order;
    const added: ModelOrder = {
      ...order,
      tradeNo: '',
      isRefundRequested: false,
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

  refund(order: ModelOrder): Outcome {
    if (order.status === 'refunded' || order.isRefundRequested) return 'done';
    if (order.status !== 'success') return 'invalid_transition';
    const net = order.amountMinor - order.feeMinor;
    if (this.balances.unsettled < net) return 'insufficient_funds';
    this.balances.unsettled -= net;
    order.isRefundRequested = true;
    return 'done';
  }

  /** Moves paid orders to available funds, oldest first, until unsettled funds do not cover the next one. */
  settle(): void {
    for (const order of this.#paid) {
      if (order.settlement !== 'unsettled' || order.isRefundRequested) continue;
      const net = order.amountMinor - order.feeMinor;
      if (net > this.balances.unsettled) break;
      this.balances.unsettled -= net;
      this.balances.available += net;
      order.settlement = 'settled';
    }
  }

  /** Ends a payout or withdrawal: its locked funds leave, or return to available funds if it was not paid. */
  release(order: ModelOrder, to: string, isPaid: boolean): void {
    const total = order.amountMinor + order.feeMinor;
    order.status = to;
    this.balances.locked -= total;
    if (!isPaid) this.balances.available += total;
  }
}
