import { Webhook } from 'standardwebhooks';
import type { Agent, request } from 'undici';
import * as z from 'zod';
import type { Database, MerchantTx, Tx } from '#db/database.ts';
import { forgetFailures, noteFailure } from '#jobs/breaker.sql.ts';
import { enqueue, type Task } from '#jobs/jobs.ts';
import { isTracing, record } from '#observability/tracing/traces.ts';
import type { Secrets } from '#security/secrets.ts';
import { storableText } from '#security/storable-text.ts';
import {
  type DueMessage,
  findMessage,
  findSigningKeys,
  giveUpOld,
  insertAttempt,
  insertMessage,
  type Message,
  type NewMessage,
  reopenMessage,
  type StoredAttempt,
  type SubjectKind,
  updateMessage,
} from './callbacks.sql.ts';
import { failureOf } from './failures.ts';
import type { TargetPolicy } from './target.ts';

/**
 * Timeouts of an attempt: short at first, so that a slow server occupies few slots, and longer for retries
 * and probes.
 */
const firstTimeoutMs = 3000;
const laterTimeoutMs = 10_000;
const quickAttempts = 2;
const maxErrorLength = 300;

/** Seconds to wait after each failed attempt: three days in all. */
const retryDelaysSeconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Longer than all delays together: messages that wait this long for a silent server are given up. */
const maxAgeSeconds = 78 * 3600;

/** Delay between checks for a signing key: grows with a message's age, so that many cost little. */
const keyWait = { leastSeconds: 5, mostSeconds: 900 };
const keyWaitSeconds = (ageSeconds: number) =>
  Math.round(Math.min(keyWait.mostSeconds, Math.max(keyWait.leastSeconds, ageSeconds / 2)));

const task = 'callbacks.deliver';
const payload = z.object({
  id: z.uuid(),
  merchantId: z.string().regex(/^\d+$/).transform(BigInt),
  /** Origin of the merchant's server. */
  target: z.string(),
});

/** Called in the same transaction once the merchant's server has acknowledged a message. */
export type OnAcknowledged = (tx: MerchantTx, message: Message) => Promise<void>;

/** Queues a message to the merchant's server, in the transaction that the message reports. */
export async function queueCallback(tx: MerchantTx, message: NewMessage): Promise<void> {
  const id = await insertMessage(tx, message);
  await enqueueDelivery(tx, { ...message, id, merchantId: tx.merchantId });
}

/**
 * Sends a callback about an order again at once, under its old id, whether or not it was delivered. If the attempt fails, retries
 * follow as after any other. Returns its event; undefined if the order has no such callback.
 */
export async function sendAgain(
  tx: MerchantTx,
  message: Pick<Message, 'id' | 'subjectNo'>,
): Promise<string | undefined> {
  const reopened = await reopenMessage(tx, message);
  if (!reopened) return undefined;
  await enqueueDelivery(tx, { ...message, merchantId: tx.merchantId, url: reopened.url });
  return reopened.event;
}

/**
 * Enqueues a delivery. Merchant, origin and host are for fair scheduling; the order number links the job to
 * its trace.
 */
async function enqueueDelivery(
  tx: Tx,
  { id, url, merchantId, subjectNo }: Pick<Message, 'id' | 'url' | 'merchantId' | 'subjectNo'>,
  delaySeconds = 0,
): Promise<void> {
  const { origin: target, hostname: host } = new URL(url);
  const given = { id, merchantId: String(merchantId), target, host, orderNo: subjectNo };
  await enqueue(tx, task, given, { key: `callback:${id}`, delaySeconds });
}

export interface CallbackSenderOptions {
  database: Database;
  secrets: Secrets;
  /** Where callbacks may go. */
  targets: TargetPolicy;
  onAcknowledged: Record<SubjectKind, OnAcknowledged>;
}

/** Delivers callbacks by Standard Webhooks: signed, with one id for all attempts, each of which is stored. */
export class CallbackSender {
  readonly #options: CallbackSenderOptions;
  #http: Promise<{ request: typeof request; dispatcher: Agent }> | undefined;

  constructor(options: CallbackSenderOptions) {
    this.#options = options;
  }

  readonly tasks: Record<string, Task> = {
    [task]: async (given, turn) => {
      await this.#deliver(payload.parse(given), turn?.isTrial ?? false);
    },
  };

  async #deliver({ id, merchantId, target }: z.output<typeof payload>, isTrial: boolean): Promise<void> {
    const { database } = this.#options;
    const found = await database.asSystem((tx) => findMessage(tx, { merchantId, id }, target), {
      oneStatement: true,
    });
    if (!found || found.isDone) return;
    const message = { ...found, isTrial };
    const keys = await database.asSystem((tx) => findSigningKeys(tx, message.merchantId));
    if (keys.length === 0) return this.#waitForKey(message);
    const startedAtMs = Date.now();
    const attempt = await this.#attempt(message, keys);
    recordAttempt(message, attempt, startedAtMs);
    // A short transaction of its own, without waiting for the disk: all messages for an origin update one
    // row, and a transaction that waits for the row occupies a connection.
    const isOpen = await database.asSystemFor(
      message.merchantId,
      (tx) => this.#updateBreaker(tx, message, attempt),
      { relaxed: true },
    );
    if (isOpen && isTrial)
      await database.asSystemFor(message.merchantId, (tx) =>
        giveUpOld(tx, new URL(message.url).origin, maxAgeSeconds),
      );
    await database.asSystemFor(message.merchantId, (tx) => this.#record(tx, message, attempt, isOpen));
  }

  /**
   * Reschedules a message without counting an attempt, because the merchant has no key to sign with. A
   * revoked key must not sign: whoever stole it could forge callbacks.
   */
  async #waitForKey(message: DueMessage): Promise<void> {
    const delaySeconds = keyWaitSeconds(message.ageSeconds);
    await this.#options.database.asSystem((tx) => enqueueDelivery(tx, message, delaySeconds));
  }

  async #record(tx: MerchantTx, message: DueMessage, attempt: StoredAttempt, isOpen: boolean): Promise<void> {
    const isDelivered = attempt.httpStatus !== null && attempt.httpStatus >= 200 && attempt.httpStatus < 300;
    const isTooOld = isOpen && message.ageSeconds > maxAgeSeconds;
    const delaySeconds = isTooOld ? undefined : retryDelaysSeconds[attempt.attempt - 1];
    const end = isDelivered ? 'delivered' : delaySeconds === undefined ? 'givenUp' : undefined;
    // If another worker has made the same attempt, that one counts.
    if (!(await updateMessage(tx, message.id, { attempts: attempt.attempt, end }))) return;
    await insertAttempt(tx, message.id, attempt);
    if (isDelivered) await this.#options.onAcknowledged[message.subjectKind](tx, message);
    if (end === undefined && delaySeconds !== undefined) await enqueueDelivery(tx, message, delaySeconds);
    tx.changed(message.merchantId, `${message.subjectKind}s`);
  }

  /**
   * Updates the merchant's circuit breaker for the origin; returns whether it is open. A response of any
   * status counts as an answer.
   */
  async #updateBreaker(tx: MerchantTx, message: DueMessage, { httpStatus }: StoredAttempt): Promise<boolean> {
    const { origin } = new URL(message.url);
    if (httpStatus !== null) {
      if (message.isFailing) await forgetFailures(tx, origin);
      return false;
    }
    return noteFailure(tx, origin, message);
  }

  async #attempt(message: DueMessage, keys: readonly Buffer[]): Promise<StoredAttempt> {
    this.#http ??= openHttp(this.#options.targets);
    const { request, dispatcher } = await this.#http;
    const startedAt = performance.now();
    const done = (httpStatus: number | null): StoredAttempt => ({
      attempt: message.attempts + 1,
      httpStatus,
      error: null,
      errorText: null,
      durationMs: Math.round(performance.now() - startedAt),
    });
    try {
      const response = await request(message.url, {
        method: 'POST',
        headers: this.#headers(message, keys),
        body: message.body,
        dispatcher,
        signal: AbortSignal.timeout(timeoutOf(message)),
      });
      await response.body.dump();
      return done(response.statusCode);
    } catch (error) {
      const failure = failureOf(error);
      const attempt = {
        ...done(null),
        error: failure,
        errorText: storableText(messageOf(error), maxErrorLength),
      };
      // The duration of resolving would reveal which names exist in our network.
      return failure === 'notPublic' ? { ...attempt, durationMs: 0 } : attempt;
    }
  }

  #headers(message: Message, keys: readonly Buffer[]): Record<string, string> {
    const now = new Date();
    // Signs with every valid key: during a key rotation the merchant's server may know any of them.
    const signatures = keys.map((key) => {
      const secret = Buffer.from(this.#options.secrets.decrypt(key)).toString('base64');
      return new Webhook(secret).sign(message.id, now, message.body);
    });
    return {
      'content-type': 'application/json',
      'user-agent': 'Hengfu-Callbacks/1',
      'webhook-id': message.id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    };
  }
}

/** Returns the text of an error, for operators. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

function recordAttempt(message: Message, { attempt, httpStatus }: StoredAttempt, startedAtMs: number): void {
  if (!isTracing()) return;
  record({
    name: 'POST callback',
    kind: 'client',
    startedAtMs,
    orderNo: message.subjectNo,
    attributes: {
      'http.request.method': 'POST',
      'hengfu.event': message.event,
      'hengfu.attempt': attempt,
      ...(httpStatus !== null && { 'http.response.status_code': httpStatus }),
    },
    isFailed: httpStatus === null || httpStatus < 200 || httpStatus >= 300,
  });
}

/** A probe may take long, so that the breaker closes again for a server that is merely slow. */
function timeoutOf({ attempts, isTrial }: DueMessage): number {
  return attempts < quickAttempts && !isTrial ? firstTimeoutMs : laterTimeoutMs;
}

/** Loads the HTTP client with the first callback: many processes never send one. */
async function openHttp(targets: TargetPolicy) {
  const [{ request }, { callbackAgent }] = await Promise.all([import('undici'), import('./agent.ts')]);
  return { request, dispatcher: callbackAgent(targets) };
}
