import { Webhook } from 'standardwebhooks';
import { type Agent, request } from 'undici';
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
  type MadeAttempt,
  type Message,
  type NewMessage,
  type SubjectKind,
  updateMessage,
} from './callbacks.sql.ts';
import { failureOf } from './failures.ts';
import { callbackAgent, type TargetPolicy } from './target.ts';

/** Answers that come later are not waited for: on the first tries, and on those that others do not wait behind. */
const firstTimeoutMs = 3000;
const laterTimeoutMs = 10_000;
const quickAttempts = 2;
const keptErrorLength = 300;

/** Seconds to wait after each failed attempt: three days in all. */
const retryDelaysSeconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Longer than all waits together: what has waited so long behind a server that does not answer is given up. */
const oldAfterSeconds = 78 * 3600;

/** How often a message looks for a key that it can be signed with: ever more rarely, so that many of them cost little. */
const keyWait = { leastSeconds: 5, mostSeconds: 900 };
const keyWaitSeconds = (ageSeconds: number) =>
  Math.round(Math.min(keyWait.mostSeconds, Math.max(keyWait.leastSeconds, ageSeconds / 2)));

const task = 'callbacks.deliver';
const payload = z.object({
  id: z.uuid(),
  /** Origin of the merchant's server; absent in jobs that the version before this one planned. */
  target: z.string().optional(),
});

/** What a feature does, in the same transaction, once the merchant's server has acknowledged its message. */
export type OnAcknowledged = (tx: MerchantTx, message: Message) => Promise<void>;

/** Queues a message to the merchant's server, in the transaction that it reports. */
export async function queueCallback(tx: MerchantTx, message: NewMessage): Promise<void> {
  const id = await insertMessage(tx, message);
  await planToDeliver(tx, { ...message, id, merchantId: tx.merchantId });
}

/** Names the merchant, the origin and the host, by which jobs take fair turns, and the order, whose trace they join. */
async function planToDeliver(
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

/** Delivers callbacks by Standard Webhooks: signed, the same id on every attempt, every attempt kept. */
export class CallbackSender {
  readonly #options: CallbackSenderOptions;
  readonly #agent: Agent;

  constructor(options: CallbackSenderOptions) {
    this.#options = options;
    this.#agent = callbackAgent(options.targets);
  }

  readonly tasks: Record<string, Task> = {
    [task]: async (given, turn) => {
      const { id, target } = payload.parse(given);
      await this.#deliver(id, target, turn?.isTrial ?? false);
    },
  };

  async #deliver(id: string, origin: string | undefined, isTrial: boolean): Promise<void> {
    const { database } = this.#options;
    const found = await database.asSystem((tx) => findMessage(tx, id, origin), { oneStatement: true });
    if (!found || found.isDone) return;
    const message = { ...found, isTrial };
    if (origin === undefined) return database.asSystem((tx) => planToDeliver(tx, message));
    const keys = await database.asSystem((tx) => findSigningKeys(tx, message.merchantId));
    if (keys.length === 0) return this.#waitForKey(message);
    const startedAtMs = Date.now();
    const attempt = await this.#attempt(message, keys);
    recordAttempt(message, attempt, startedAtMs);
    // In a transaction of its own that does nothing else and waits for no disk: all messages for an origin write one row, and
    // whoever waits for it holds a connection that others need.
    const isOpen = await database.asSystemFor(
      message.merchantId,
      (tx) => this.#noteAnswer(tx, message, attempt),
      { relaxed: true },
    );
    if (isOpen && isTrial)
      await database.asSystemFor(message.merchantId, (tx) =>
        giveUpOld(tx, new URL(message.url).origin, oldAfterSeconds),
      );
    await database.asSystemFor(message.merchantId, (tx) => this.#record(tx, message, attempt, isOpen));
  }

  /**
   * Leaves a message for later, without counting an attempt, where the merchant has no key to sign with: its last one was
   * revoked, and whoever has stolen that must not be believed by the merchant's server.
   */
  async #waitForKey(message: DueMessage): Promise<void> {
    const delaySeconds = keyWaitSeconds(message.ageSeconds);
    await this.#options.database.asSystem((tx) => planToDeliver(tx, message, delaySeconds));
  }

  async #record(tx: MerchantTx, message: DueMessage, attempt: MadeAttempt, isOpen: boolean): Promise<void> {
    if (!(await insertAttempt(tx, message.id, attempt))) return;
    const isDelivered = attempt.httpStatus !== null && attempt.httpStatus >= 200 && attempt.httpStatus < 300;
    const isTooOld = isOpen && message.ageSeconds > oldAfterSeconds;
    const delaySeconds = isTooOld ? undefined : retryDelaysSeconds[attempt.attempt - 1];
    const end = isDelivered ? 'delivered' : delaySeconds === undefined ? 'givenUp' : undefined;
    await updateMessage(tx, message.id, { attempts: attempt.attempt, end });
    if (isDelivered) await this.#options.onAcknowledged[message.subjectKind](tx, message);
    if (end === undefined && delaySeconds !== undefined) await planToDeliver(tx, message, delaySeconds);
    tx.changed(message.merchantId, `${message.subjectKind}s`);
  }

  /**
   * Has the merchant's other messages for the same origin wait where it does not answer; returns whether they do. An
   * answer of whatever status is one: it takes nobody's time.
   */
  async #noteAnswer(tx: MerchantTx, message: DueMessage, { httpStatus }: MadeAttempt): Promise<boolean> {
    const { origin } = new URL(message.url);
    if (httpStatus !== null) {
      if (message.isFailing) await forgetFailures(tx, origin);
      return false;
    }
    return noteFailure(tx, origin, message);
  }

  async #attempt(message: DueMessage, keys: readonly Buffer[]): Promise<MadeAttempt> {
    const startedAt = performance.now();
    const done = (httpStatus: number | null): MadeAttempt => ({
      attempt: message.attempts + 1,
      httpStatus,
      error: null,
      words: null,
      durationMs: Math.round(performance.now() - startedAt),
    });
    try {
      const response = await request(message.url, {
        method: 'POST',
        headers: this.#headers(message, keys),
        body: message.body,
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(timeoutOf(message)),
      });
      await response.body.dump();
      return done(response.statusCode);
    } catch (error) {
      const failure = failureOf(error);
      const attempt = { ...done(null), error: failure, words: storableText(wordsOf(error), keptErrorLength) };
      // How long the resolver took would tell which names exist in our network.
      return failure === 'notPublic' ? { ...attempt, durationMs: 0 } : attempt;
    }
  }

  #headers(message: Message, keys: readonly Buffer[]): Record<string, string> {
    const now = new Date();
    // While an old key goes on beside its successor, whichever of them the shop knows fits.
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

/** What an error says, for the staff. */
function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

function recordAttempt(message: Message, { attempt, httpStatus }: MadeAttempt, startedAtMs: number): void {
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

/** A merchant's single try of an origin that is being left alone may take long: a slow server is heard again by it. */
function timeoutOf({ attempts, isTrial }: DueMessage): number {
  return attempts < quickAttempts && !isTrial ? firstTimeoutMs : laterTimeoutMs;
}
