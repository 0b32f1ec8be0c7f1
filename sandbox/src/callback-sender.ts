import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type AttemptResult, createCallbackRequester } from './callback-request.ts';
import { type Callback, type CallbackQueries, createCallbackQueries } from './callbacks.sql.ts';
import { createDueTimer } from './due-timer.ts';
import type { Store } from './store.ts';
import type { Timings } from './timings.ts';

const maxInFlight = 32;

/** An event as the callback's body reports it; the sender adds the event's id. Amount in minor units. */
export type BankEvent = {
  type: string;
  reference: string;
  bankId: string;
  amountMinor: string;
  currency: string;
  occurredAt: string;
  reason?: string;
};

/** The outbox: stores callbacks with the change that they report, and sends each until it is acknowledged. */
export type CallbackSender = {
  /** Puts `copies` of one event into the outbox; call it inside the transaction of the change. */
  enqueue(event: BankEvent, url: string, copies: number): bigint[];
  /** Sends what is due; call it after the commit. */
  wake(): void;
  /** Sends these now and waits for the first attempt of each; returns immediately while paused. */
  deliver(ids: readonly bigint[]): Promise<void>;
  /** While paused, callbacks wait in the outbox. */
  setPaused(isPaused: boolean): void;
  /** Gives attempts in progress a moment to end, then aborts them; the next start resumes them. */
  close(): Promise<void>;
};

/** Options of the sender besides the store; `onError` receives errors of the store. */
export type SenderOptions = { secret: string; timings: Timings; onError: (error: unknown) => void };

/** Creates a sender over the shared store. */
export function createCallbackSender(
  store: Store,
  { secret, timings, onError }: SenderOptions,
): CallbackSender {
  const queries = createCallbackQueries(store);
  const requester = createCallbackRequester(secret, timings.callbackTimeoutMs);
  const inFlight = new Map<bigint, Promise<void>>();
  let isPaused = false;
  let isClosed = false;
  const timer = createDueTimer({ nextDueAt: () => waiting()[0]?.nextAttemptAt, work: sendDue, onError });

  /** Returns the earliest waiting callbacks that are not in flight, as many as there is room for. */
  function waiting() {
    const room = maxInFlight - inFlight.size;
    if (isPaused || isClosed || room <= 0) return [];
    // The store still lists callbacks in flight as due, so this fetches that many more to find `room` others.
    const next = queries.next(room + inFlight.size);
    return next.filter(({ id }) => !inFlight.has(id)).slice(0, room);
  }

  function sendDue(): void {
    const now = new Date().toISOString();
    for (const { id, nextAttemptAt } of waiting()) if (nextAttemptAt <= now) void start(id);
  }

  function start(id: bigint): Promise<void> {
    const running = inFlight.get(id);
    if (running !== undefined) return running;
    const started = attempt(id).finally(() => {
      inFlight.delete(id);
      timer.arm();
    });
    inFlight.set(id, started);
    return started;
  }

  async function attempt(id: bigint): Promise<void> {
    try {
      const callback = queries.find(id);
      if (callback === undefined) return;
      const outcome = await requester.post(callback.url, callback.body);
      // An attempt that shutdown aborted does not count: the next start repeats it.
      if (outcome !== undefined) record(queries, callback, outcome, timings);
    } catch (error) {
      onError(error);
      // The result was not stored, so the callback is still due: without a pause it would be sent in a tight
      // loop.
      await delay(timings.retryDelaysMs[0]);
    }
  }

  return {
    enqueue: (event, url, copies) => enqueue(queries, { event, url, copies, retryForMs: timings.retryForMs }),
    wake: () => timer.arm(),
    async deliver(ids) {
      if (!isPaused && !isClosed) await Promise.all(ids.map(start));
    },
    setPaused(value) {
      isPaused = value;
      timer.arm();
    },
    async close() {
      isClosed = true;
      timer.stop();
      const ended = Promise.allSettled(inFlight.values());
      await Promise.race([ended, delay(timings.closeGraceMs, undefined, { ref: false })]);
      await requester.close();
      await ended;
    },
  };
}

/**
 * Enqueues copies of one event. They share its id, as retries do, so that the receiver can recognize them.
 */
function enqueue(
  queries: CallbackQueries,
  { event, url, copies, retryForMs }: { event: BankEvent; url: string; copies: number; retryForMs: number },
): bigint[] {
  const body = JSON.stringify({ id: `ev_${randomBytes(16).toString('hex')}`, ...event });
  const now = new Date();
  const giveUpAt = new Date(now.getTime() + retryForMs).toISOString();
  return Array.from({ length: copies }, () =>
    queries.insert({ url, body, now: now.toISOString(), giveUpAt }),
  );
}

function record(
  queries: CallbackQueries,
  { id, attempts }: Callback,
  outcome: AttemptResult,
  timings: Timings,
): void {
  if (outcome.isAcknowledged) queries.acknowledge(id, outcome.result);
  else queries.postpone(id, outcome.result, nextAttemptAt(attempts, timings));
}

/** Returns when to retry after `attempts` earlier attempts and the one that has just failed. */
function nextAttemptAt(attempts: bigint, { retryDelaysMs }: Timings): string {
  const waitMs = retryDelaysMs[Number(attempts)] ?? retryDelaysMs.at(-1) ?? retryDelaysMs[0];
  return new Date(Date.now() + waitMs).toISOString();
}
