/** What an order of the model is: the least that decides about money. */
export interface ModelOrder {
  kind: 'collection' | 'payout' | 'withdrawal';
  /** Our number, once the product has given one. */
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

/** Rates in millionths, as the merchants of a test have them; half a unit is rounded up. */
const collectionRate = 6000n;
const payoutRate = 2000n;
const million = 1_000_000n;
const share = (amountMinor: bigint, rate: bigint) => (amountMinor * rate + million / 2n) / million;

const withdrawalFeeMinor = 1400n;
/** An outcome: done, or the code of a refusal. */
export type Outcome = 'done' | string;

/** One operation: what the model says of it, and the same on the product. */
export interface Step {
  name: string;
  expected: Outcome;
  act: () => Promise<unknown>;
}

/** Where every call comes from. */
export const request = { id: 'r', address: '127.0.0.1', userAgent: undefined, language: 'en' } as const;

/** Minor units as an amount. */
export const text = (minor: bigint) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;

/**
 * The rules of orders and money, written once more and as plainly as can be: no database, no clock. Each operation
 * answers what the product must answer, and changes the model where that is `done`.
 */
export class Model {
  readonly balances: ModelBalances = { available: 0n, locked: 0n, unsettled: 0n };
  readonly orders: ModelOrder[] = [];
  /** Collections in the order of their payment. */
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

  /** Money leaves available funds for an order. */
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

  /** Paid orders move to available funds, the oldest first, as far as unsettled funds go. */
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

  /** A payout's or withdrawal's money has gone, or comes back. */
  release(order: ModelOrder, to: string, isPaid: boolean): void {
    const total = order.amountMinor + order.feeMinor;
    order.status = to;
    this.balances.locked -= total;
    if (!isPaid) this.balances.available += total;
  }
}
