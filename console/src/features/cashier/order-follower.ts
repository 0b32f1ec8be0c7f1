import type { CashierOrder } from '@hengfu/contract/cashier';
import { CallError, type CallFault } from './cashier.api.ts';
import { clockOffsetMs, pollDelayMs, screenOf } from './cashier.rules.ts';

/** What is known of the order at this moment. */
export interface Followed {
  /** Null until the first answer. */
  order: CashierOrder | null;
  /** The link leads nowhere. */
  isUnknown: boolean;
  /** How far the server's clock is ahead of this device's. */
  offsetMs: number;
  /** Why the page can't follow at the moment. */
  trouble: 'offline' | 'unavailable' | null;
  isPaying: boolean;
  /** Why the last try to pay failed. */
  payFault: CallFault | null;
}

/** The calls and the device, so that tests bring their own. */
export interface FollowerParts {
  read: (signal: AbortSignal) => Promise<CashierOrder>;
  pay: (channel: string) => Promise<CashierOrder>;
  isHidden: () => boolean;
}

/** One lost answer is not a lost connection. */
const failuresUntilTrouble = 2;

/** Follows an order by asking for it, at the pace that {@link pollDelayMs} sets, and starts its payment. */
export class OrderFollower {
  readonly #parts: FollowerParts;
  readonly #listeners = new Set<() => void>();
  #followed: Followed = {
    order: null,
    isUnknown: false,
    offsetMs: 0,
    trouble: null,
    isPaying: false,
    payFault: null,
  };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: AbortController | undefined;
  #failures = 0;
  #hiddenPolls = 0;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  readonly current = (): Followed => this.#followed;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Asks at once: at the start, and when the page is seen again or the network is back. */
  readonly refresh = (): void => {
    if (this.#followed.isUnknown || this.#followed.isPaying) return;
    if (!this.#parts.isHidden()) this.#hiddenPolls = 0;
    void this.#ask();
  };

  /** The device says that it has no network: no need to wait for a call to fail. */
  readonly noteOffline = (): void => this.#set({ trouble: 'offline' });

  /** Starts the payment at a channel. What went wrong stands in `payFault`. */
  readonly pay = async (channel: string): Promise<void> => {
    if (this.#followed.isPaying) return;
    this.#pause();
    this.#set({ isPaying: true, payFault: null });
    const askedAtMs = Date.now();
    try {
      const order = await this.#parts.pay(channel);
      this.#set({ isPaying: false });
      this.#take(order, askedAtMs);
    } catch (error) {
      this.#set({ isPaying: false, payFault: faultOf(error) });
      // Without an answer the payment may have started all the same: the order says.
      await this.#ask();
    }
  };

  stop(): void {
    this.#pause();
  }

  async #ask(): Promise<void> {
    this.#pause();
    const asking = new AbortController();
    this.#asking = asking;
    const askedAtMs = Date.now();
    try {
      const order = await this.#parts.read(asking.signal);
      if (!asking.signal.aborted) this.#take(order, askedAtMs);
    } catch (error) {
      if (!asking.signal.aborted) this.#fail(faultOf(error));
    }
  }

  #take(order: CashierOrder, askedAtMs: number): void {
    this.#failures = 0;
    const hasMovedOn = order.payment !== null || screenOf[order.status] !== 'open';
    this.#set({
      order,
      offsetMs: clockOffsetMs(order.now, askedAtMs, Date.now()),
      trouble: null,
      ...(hasMovedOn && { payFault: null }),
    });
    this.#plan();
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
    this.#plan();
  }

  #plan(): void {
    const isHidden = this.#parts.isHidden();
    const delayMs = pollDelayMs({
      order: this.#followed.order,
      nowMs: Date.now() + this.#followed.offsetMs,
      isHidden,
      hiddenPolls: this.#hiddenPolls,
      failures: this.#failures,
    });
    this.#hiddenPolls = isHidden ? this.#hiddenPolls + 1 : 0;
    if (delayMs !== undefined) this.#timer = setTimeout(() => void this.#ask(), delayMs);
  }

  /** No call and no timer is left: an older answer can't overwrite a newer one. */
  #pause(): void {
    clearTimeout(this.#timer);
    this.#asking?.abort();
  }

  #set(change: Partial<Followed>): void {
    this.#followed = { ...this.#followed, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function faultOf(error: unknown): CallFault {
  return error instanceof CallError ? error.fault : 'internal';
}
