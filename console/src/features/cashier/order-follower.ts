import type { CashierOrder } from '@hengfu/contract/cashier';
import { CallError, type CallFault } from './cashier.api.ts';
import { clockOffsetMs, pollDelayMs, screenOf } from './cashier.rules.ts';

/** The current state of the order and of its polling. */
export interface FollowerState {
  /** Null until the first reply. */
  order: CashierOrder | null;
  /** There is no order behind the link. */
  isUnknown: boolean;
  /** How far the server's clock is ahead of this device's, in milliseconds. */
  offsetMs: number;
  /** Why polling fails at the moment. */
  trouble: 'offline' | 'unavailable' | null;
  isPaying: boolean;
  /** Why the last attempt to pay failed. */
  payFault: CallFault | null;
}

/** The calls and the device's state, which tests replace. */
export interface FollowerDeps {
  /** The order as the page came with it; null if it did not. */
  first: CashierOrder | null;
  read: (signal: AbortSignal) => Promise<CashierOrder>;
  pay: (channel: string) => Promise<CashierOrder>;
  isHidden: () => boolean;
}

/** One failed call does not mean a lost connection. */
const failuresUntilTrouble = 2;

/** Polls an order at the intervals that {@link pollDelayMs} sets, and starts its payment. */
export class OrderFollower {
  readonly #deps: FollowerDeps;
  readonly #listeners = new Set<() => void>();
  #state: FollowerState = {
    order: null,
    isUnknown: false,
    offsetMs: 0,
    trouble: null,
    isPaying: false,
    payFault: null,
  };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pending: AbortController | undefined;
  #failures = 0;
  #hiddenPolls = 0;

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
    const { first } = deps;
    if (first) this.#state = { ...this.#state, order: first, offsetMs: Date.parse(first.now) - Date.now() };
  }

  /** Polls at once, or later if the page came with the order. */
  start(): void {
    if (this.#state.order) this.#schedule();
    else this.refresh();
  }

  readonly current = (): FollowerState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Polls at once: when the page becomes visible, and when the network is back. */
  readonly refresh = (): void => {
    if (this.#state.isUnknown || this.#state.isPaying) return;
    if (!this.#deps.isHidden()) this.#hiddenPolls = 0;
    void this.#poll();
  };

  /** Reports that the device is offline, without waiting for a call to fail. */
  readonly noteOffline = (): void => this.#set({ trouble: 'offline' });

  /** Starts the payment at a channel. A failure is reported in `payFault`. */
  readonly pay = async (channel: string): Promise<void> => {
    if (this.#state.isPaying) return;
    this.#pause();
    this.#set({ isPaying: true, payFault: null });
    const sentAtMs = Date.now();
    try {
      const order = await this.#deps.pay(channel);
      this.#set({ isPaying: false });
      this.#accept(order, sentAtMs);
    } catch (error) {
      this.#set({ isPaying: false, payFault: faultOf(error) });
      // Without a reply the payment may still have started; the order shows whether it has.
      await this.#poll();
    }
  };

  stop(): void {
    this.#pause();
  }

  async #poll(): Promise<void> {
    this.#pause();
    const pending = new AbortController();
    this.#pending = pending;
    const sentAtMs = Date.now();
    try {
      const order = await this.#deps.read(pending.signal);
      if (!pending.signal.aborted) this.#accept(order, sentAtMs);
    } catch (error) {
      if (!pending.signal.aborted) this.#fail(faultOf(error));
    }
  }

  #accept(order: CashierOrder, sentAtMs: number): void {
    this.#failures = 0;
    const hasMovedOn = order.payment !== null || screenOf(order) !== 'open';
    this.#set({
      order,
      offsetMs: clockOffsetMs(order.now, sentAtMs, Date.now()),
      trouble: null,
      ...(hasMovedOn && { payFault: null }),
    });
    this.#schedule();
  }

  #fail(fault: CallFault): void {
    if (fault === 'not_found') {
      this.#set({ isUnknown: true, trouble: null });
      return;
    }
    this.#failures += 1;
    if (this.#failures >= failuresUntilTrouble) {
      this.#set({ trouble: fault === 'offline' ? 'offline' : 'unavailable' });
    }
    this.#schedule();
  }

  #schedule(): void {
    const isHidden = this.#deps.isHidden();
    const delayMs = pollDelayMs({
      order: this.#state.order,
      nowMs: Date.now() + this.#state.offsetMs,
      isHidden,
      hiddenPolls: this.#hiddenPolls,
      failures: this.#failures,
    });
    this.#hiddenPolls = isHidden ? this.#hiddenPolls + 1 : 0;
    if (delayMs !== undefined) this.#timer = setTimeout(() => void this.#poll(), delayMs);
  }

  /** Cancels the call and the timer, so that an older reply cannot overwrite a newer one. */
  #pause(): void {
    clearTimeout(this.#timer);
    this.#pending?.abort();
  }

  #set(change: Partial<FollowerState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function faultOf(error: unknown): CallFault {
  return error instanceof CallError ? error.fault : 'internal';
}
