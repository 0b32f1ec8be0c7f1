import { Webhook } from 'standardwebhooks';
import { type Agent, request } from 'undici';
import * as z from 'zod';
import type { Database, MerchantTx } from '#db/database.ts';
import { enqueue, type Task } from '#jobs/jobs.ts';
import type { Secrets } from '#secrets.ts';
import {
  type Attempt,
  findMessage,
  findSigningKeys,
  insertAttempt,
  insertMessage,
  type Message,
  type NewMessage,
  type SubjectKind,
  updateMessage,
} from './callbacks.sql.ts';
import { callbackAgent, checkLiteralTarget } from './target.ts';

const answerTimeoutMs = 10_000;
const keptErrorLength = 300;

/** Seconds to wait after each failed attempt: three days in all. */
const retryDelaysSeconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

const task = 'callbacks.deliver';
const payload = z.object({ id: z.uuid() });

/** What a feature does, in the same transaction, once the merchant's server has acknowledged its message. */
export type OnAcknowledged = (tx: MerchantTx, message: Message) => Promise<void>;

/** Queues a message to the merchant's server, in the transaction that it tells of. */
export async function queueCallback(tx: MerchantTx, message: NewMessage): Promise<void> {
  const id = await insertMessage(tx, message);
  await enqueue(tx, task, { id }, { key: `callback:${id}` });
}

export interface CallbackSenderOptions {
  database: Database;
  secrets: Secrets;
  /** Demo mode: shops may run on this machine. */
  allowsPrivateTargets: boolean;
  onAcknowledged: Record<SubjectKind, OnAcknowledged>;
}

/** Delivers callbacks by Standard Webhooks: signed, the same id on every attempt, every attempt kept. */
export class CallbackSender {
  readonly #options: CallbackSenderOptions;
  readonly #agent: Agent;

  constructor(options: CallbackSenderOptions) {
    this.#options = options;
    this.#agent = callbackAgent(options.allowsPrivateTargets);
  }

  readonly tasks: Record<string, Task> = {
    [task]: async (given) => this.#deliver(payload.parse(given).id),
  };

  async #deliver(id: string): Promise<void> {
    const { database } = this.#options;
    const message = await database.asSystem((tx) => findMessage(tx, id));
    if (!message || message.isDone) return;
    const attempt = await this.#attempt(message);
    await database.asSystemFor(message.merchantId, (tx) => this.#record(tx, message, attempt));
  }

  async #record(tx: MerchantTx, message: Message, attempt: Attempt): Promise<void> {
    if (!(await insertAttempt(tx, message.id, attempt))) return;
    const isDelivered = attempt.httpStatus !== null && attempt.httpStatus >= 200 && attempt.httpStatus < 300;
    const delaySeconds = retryDelaysSeconds[attempt.attempt - 1];
    const end = isDelivered ? 'delivered' : delaySeconds === undefined ? 'givenUp' : undefined;
    await updateMessage(tx, message.id, { attempts: attempt.attempt, end });
    if (isDelivered) await this.#options.onAcknowledged[message.subjectKind](tx, message);
    if (end === undefined && delaySeconds !== undefined) {
      await enqueue(tx, task, { id: message.id }, { key: `callback:${message.id}`, delaySeconds });
    }
    tx.changed(message.merchantId, `${message.subjectKind}s`);
  }

  async #attempt(message: Message): Promise<Attempt> {
    const startedAt = performance.now();
    const done = (httpStatus: number | null, error: string | null): Attempt => ({
      attempt: message.attempts + 1,
      httpStatus,
      error: error?.slice(0, keptErrorLength) ?? null,
      durationMs: Math.round(performance.now() - startedAt),
    });
    try {
      checkLiteralTarget(new URL(message.url), this.#options.allowsPrivateTargets);
      const response = await request(message.url, {
        method: 'POST',
        headers: await this.#headers(message),
        body: message.body,
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(answerTimeoutMs),
      });
      await response.body.dump();
      return done(response.statusCode, null);
    } catch (error) {
      return done(null, error instanceof Error ? error.message || error.name : 'no answer');
    }
  }

  async #headers(message: Message): Promise<Record<string, string>> {
    const sealed = await this.#options.database.asSystem((tx) => findSigningKeys(tx, message.merchantId));
    if (sealed.length === 0) throw new Error('the merchant has no access key to sign with');
    const now = new Date();
    // While an old key goes on beside its successor, whichever of them the shop knows fits.
    const signatures = sealed.map((key) => {
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
