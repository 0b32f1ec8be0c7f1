import * as z from 'zod';
import type { Database, MerchantTx, Tx } from '#db/database.ts';
import { forgetFailures, noteFailure } from '#jobs/breaker.sql.ts';
import { defaultMaxAttempts, enqueue, type Task } from '#jobs/jobs.ts';
import { isTracing, record } from '#observability/tracing/traces.ts';
import type { Secrets } from '#security/secrets.ts';
import { insertAttempt, type StoredAttempt } from './attempts.sql.ts';
import {
  countAttempt,
  type DueMessage,
  deliveryTasks,
  findMessage,
  findSigningKeys,
  giveUp,
  giveUpOld,
  insertMessages,
  type Message,
  type NewMessage,
  type ReopenedMessage,
  reopenMessages,
  type SubjectKind,
} from './callbacks.sql.ts';
import {
  holdMessage,
  isEndpointOn,
  type MessageEndpoint,
  noteEndpointFailure,
  noteEndpointSuccess,
  skipMessage,
} from './endpoints.sql.ts';
import { type CallbackHttp, callbackHeaders, openHttp, post, signerOf } from './request.ts';
import type { TargetPolicy } from './target.ts';

/**
 * Timeouts of an attempt: short at first, so that a slow server occupies few slots, and longer for retries
 * and probes.
 */
const firstTimeoutMs = 3000;
const laterTimeoutMs = 10_000;
const quickAttempts = 2;

/** Seconds to wait after each failed attempt: three days in all. A message that is sent again starts over. */
const retryDelaysSeconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Longer than all delays together: messages that wait this long for a silent server, or for a key, are given up. */
const maxAgeSeconds = 78 * 3600;

/** Delay between checks for a signing key: grows with a message's age, so that many cost little. */
const keyWait = { leastSeconds: 5, mostSeconds: 900 };
const keyWaitSeconds = (ageSeconds: number) =>
  Math.round(Math.min(keyWait.mostSeconds, Math.max(keyWait.leastSeconds, ageSeconds / 2)));

const payload = z.object({
  id: z.uuid(),
  merchantId: z.string().regex(/^\d+$/).transform(BigInt),
  /** Origin of the merchant's server. */
  target: z.string(),
});

/** Called in the same transaction once the merchant's server has acknowledged a message. */
export type OnAcknowledged = (tx: MerchantTx, message: Message) => Promise<void>;

/** Called in the same transaction once an endpoint has failed for so long that it was paused. */
export type OnPaused = (tx: MerchantTx, endpoint: { id: bigint; url: string }) => Promise<void>;

/**
 * Queues the messages of an event to the merchant's servers, in the transaction of the event: to the order's own callback URL, if it has
 * one, and to the merchant's endpoints.
 */
export async function queueCallback(tx: MerchantTx, message: NewMessage): Promise<void> {
  const scheduled = await insertMessages(tx, message, defaultMaxAttempts);
  if (scheduled > 0) tx.jobsReady(scheduled);
}

/**
 * Sends a callback about an order again at once, under its old id, whether or not it was delivered. If the attempt fails, retries
 * follow as after any other. Returns its event; undefined if the order has no such callback.
 */
export async function sendAgain(
  tx: MerchantTx,
  { id, subjectNo }: Pick<Message, 'id' | 'subjectNo'>,
): Promise<string | undefined> {
  const [reopened] = await reopenMessages(tx, [id], subjectNo);
  if (!reopened) return undefined;
  await scheduleReopened(tx, reopened);
  return reopened.event;
}

/** Sends a message again that counts as unsent. */
export async function scheduleReopened(
  tx: MerchantTx,
  { isForEndpoint, ...message }: Pick<ReopenedMessage, 'id' | 'url' | 'subjectNo' | 'isForEndpoint'>,
  delaySeconds = 0,
): Promise<void> {
  const kind = isForEndpoint ? 'endpoint' : 'order';
  await enqueueDelivery(tx, kind, { ...message, merchantId: tx.merchantId }, delaySeconds);
}

/**
 * Enqueues a delivery. Merchant, origin and host are for fair scheduling; the order number links the job to
 * its trace.
 */
async function enqueueDelivery(
  tx: Tx,
  kind: keyof typeof deliveryTasks,
  { id, url, merchantId, subjectNo }: Pick<Message, 'id' | 'url' | 'merchantId' | 'subjectNo'>,
  delaySeconds = 0,
): Promise<void> {
  const { origin: target, hostname: host } = new URL(url);
  const given = { id, merchantId: String(merchantId), target, host, orderNo: subjectNo };
  await enqueue(tx, deliveryTasks[kind], given, { key: `callback:${id}`, delaySeconds });
}

const kindOf = ({ endpoint }: Message) => (endpoint ? 'endpoint' : 'order');

export interface CallbackSenderOptions {
  database: Database;
  secrets: Secrets;
  /** Where callbacks may go. */
  targets: TargetPolicy;
  onAcknowledged: Record<SubjectKind, OnAcknowledged>;
  onPaused: OnPaused;
}

/** Delivers callbacks by Standard Webhooks: signed, with one id for all attempts, each of which is stored. */
export class CallbackSender {
  readonly #options: CallbackSenderOptions;
  #http: Promise<CallbackHttp> | undefined;

  constructor(options: CallbackSenderOptions) {
    this.#options = options;
  }

  readonly tasks: Record<string, Task> = {
    [deliveryTasks.order]: async (given, turn) => {
      await this.#deliver(payload.parse(given), turn?.isTrial ?? false);
    },
    // A name of its own, because a process of an earlier version would sign these messages with the access key.
    [deliveryTasks.endpoint]: async (given, turn) => {
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
    const { endpoint } = message;
    if (endpoint && endpoint.state !== 'on')
      return database.asSystemFor(merchantId, (tx) =>
        endpoint.state === 'removed' ? skipMessage(tx, message) : holdMessage(tx, message),
      );
    // The endpoint has another address by now: breaker and fair scheduling go by that one.
    if (endpoint && new URL(message.url).origin !== target)
      return database.asSystem((tx) => enqueueDelivery(tx, 'endpoint', message));
    const secrets = await this.#secretsOf(message);
    if (secrets.length === 0) return this.#waitForKey(message);
    const startedAtMs = Date.now();
    const attempt = await this.#attempt(message, secrets);
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
    // First, so that a message whose last attempt pauses its endpoint waits for it.
    if (endpoint) await database.asSystemFor(merchantId, (tx) => this.#noteEndpoint(tx, endpoint, attempt));
    await database.asSystemFor(message.merchantId, (tx) => this.#record(tx, message, attempt, isOpen));
  }

  /** Returns the secrets that sign a message: those of its endpoint, or of every valid key of the merchant. */
  async #secretsOf({ endpoint, merchantId }: DueMessage): Promise<string[]> {
    const { database, secrets } = this.#options;
    if (endpoint) return endpoint.secrets.map((secret) => secrets.decrypt(secret));
    // During a key rotation the merchant's server may know any of them.
    const keys = await database.asSystem((tx) => findSigningKeys(tx, merchantId));
    return keys.map((key) => signerOf(secrets.decrypt(key)));
  }

  /**
   * Reschedules a message without counting an attempt, because the merchant has no key to sign with, and gives it up once it is as old as
   * any that is given up. A revoked key must not sign: whoever stole it could forge callbacks.
   */
  async #waitForKey(message: DueMessage): Promise<void> {
    const { merchantId, subjectKind, ageSeconds } = message;
    await this.#options.database.asSystemFor(merchantId, async (tx) => {
      if (ageSeconds <= maxAgeSeconds)
        return enqueueDelivery(tx, kindOf(message), message, keyWaitSeconds(ageSeconds));
      await giveUp(tx, message);
      tx.changed(merchantId, `${subjectKind}s`, 'callbacks');
    });
  }

  async #record(tx: MerchantTx, message: DueMessage, attempt: StoredAttempt, isOpen: boolean): Promise<void> {
    const isDelivered = isAcknowledged(attempt);
    const isTooOld = isOpen && message.ageSeconds > maxAgeSeconds;
    const delaySeconds = isTooOld ? undefined : retryDelaysSeconds[message.attempts - message.attemptsBefore];
    const { endpoint } = message;
    const isHeld = !isDelivered && endpoint !== undefined && !(await isEndpointOn(tx, endpoint.id));
    const end = isDelivered ? 'delivered' : delaySeconds === undefined && !isHeld ? 'givenUp' : undefined;
    // If another worker has made the same attempt, that one counts.
    const counted = await countAttempt(tx, message, end);
    if (!counted) return;
    await insertAttempt(tx, message, { ...attempt, attempt: counted.attempt });
    // The state of an order depends on its own callback URL alone.
    if (isDelivered && !endpoint) await this.#options.onAcknowledged[message.subjectKind](tx, message);
    if (!counted.isOvertaken) {
      if (isHeld) await holdMessage(tx, message);
      else if (end === undefined && delaySeconds !== undefined)
        await enqueueDelivery(tx, kindOf(message), message, delaySeconds);
    }
    tx.changed(message.merchantId, `${message.subjectKind}s`, 'callbacks');
  }

  /** Notes that an endpoint works, or fails, and pauses one that has failed for days. In a transaction of its own, so that nothing waits for its row. */
  async #noteEndpoint(tx: MerchantTx, endpoint: MessageEndpoint, attempt: StoredAttempt): Promise<void> {
    if (isAcknowledged(attempt)) {
      if (endpoint.isFailing) await noteEndpointSuccess(tx, endpoint.id);
      return;
    }
    const url = await noteEndpointFailure(tx, endpoint);
    if (url !== undefined) await this.#options.onPaused(tx, { id: endpoint.id, url });
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

  async #attempt(message: DueMessage, secrets: readonly string[]): Promise<StoredAttempt> {
    this.#http ??= openHttp(this.#options.targets);
    const headers = callbackHeaders(message, secrets);
    const outcome = await post(await this.#http, { ...message, headers }, timeoutOf(message));
    const { httpStatus, error, errorText, reply, durationMs } = outcome;
    return { attempt: message.attempts + 1, httpStatus, error, errorText, reply, durationMs };
  }
}

/** Standard Webhooks: any 2xx status acknowledges a message. */
function isAcknowledged({ httpStatus }: StoredAttempt): boolean {
  return httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
}

function recordAttempt(message: Message, attempt: StoredAttempt, startedAtMs: number): void {
  if (!isTracing()) return;
  const { httpStatus } = attempt;
  record({
    name: 'POST callback',
    kind: 'client',
    startedAtMs,
    orderNo: message.subjectNo,
    attributes: {
      'http.request.method': 'POST',
      'hengfu.event': message.event,
      'hengfu.attempt': attempt.attempt,
      ...(httpStatus !== null && { 'http.response.status_code': httpStatus }),
    },
    isFailed: !isAcknowledged(attempt),
  });
}

/** A probe may take long, so that the breaker closes again for a server that is merely slow. */
function timeoutOf({ attempts, isTrial }: DueMessage): number {
  return attempts < quickAttempts && !isTrial ? firstTimeoutMs : laterTimeoutMs;
}
