import { createHash, createHmac } from 'node:crypto';
import type { ChannelRefusal, CollectionRefusal, PayoutRefusal } from '@hengfu/contract/channels';
import * as z from 'zod';
import { Refusal } from '#domain/refusal.ts';
import { sameText } from '#security/secrets.ts';
import { storableText } from '#security/storable-text.ts';
import {
  type ChannelAdapter,
  type ChannelEvent,
  ChannelUnavailable,
  type CollectReply,
  type CollectRequest,
  type PaymentReport,
  type PayOutRequest,
  type PayoutReport,
  type RefundReport,
  type RefundRequest,
} from '../channel.ts';

const timeoutMs = 8000;
/** The bank's words that are kept. */
const mostWords = 500;
const callbackToleranceSeconds = 300;

/** Where the sandbox bank answers, and the secret that both sides sign with. */
export interface SandboxOptions {
  url: string;
  secret: string;
}

const minor = z
  .string()
  .regex(/^\d{1,18}$/)
  .transform(BigInt);
/** Numbers of orders, the bank's and ours. */
const number = z.string().regex(/^[\x21-\x7e]{1,128}$/);
const collected = z.object({ payUrl: z.url(), qrContent: z.string().nullish() });
const payment = z.object({
  id: number,
  reference: number,
  status: z.enum(['pending', 'paid', 'refused', 'cancelled']),
  amountMinor: minor,
  currency: z.string(),
  reason: z.string().nullish(),
});
const payout = z.object({
  id: number,
  reference: number,
  status: z.enum(['pending', 'paid', 'refused']),
  reason: z.string().nullish(),
});
const refunded = z.object({ status: z.enum(['refunded', 'refused']), reason: z.string().nullish() });
const callback = z.object({
  type: z.enum(['collection.paid', 'collection.refused', 'payout.paid', 'payout.refused']),
  reference: number,
  bankId: number,
  amountMinor: minor,
  currency: z.string(),
  reason: z.string().optional(),
});

/** The bank's words for what it refuses, and what they mean. */
const collectionRefusalOf: ReadonlyMap<string, CollectionRefusal> = new Map([
  ['insufficient funds', 'insufficientFunds'],
  ['declined by payer', 'declinedByPayer'],
]);
const payoutRefusalOf: ReadonlyMap<string, PayoutRefusal> = new Map([
  ['account closed', 'accountClosed'],
  ['name does not match account', 'nameMismatch'],
  ['voided before it arrived', 'neverArrived'],
]);

/** Speaks the sandbox bank's protocol (sandbox/README.md). */
export class SandboxAdapter implements ChannelAdapter {
  readonly #options: SandboxOptions;

  constructor(options: SandboxOptions) {
    this.#options = options;
  }

  async collect(request: CollectRequest): Promise<CollectReply> {
    const { amountMinor, expiresAt, ...rest } = request;
    const body = { ...rest, amountMinor: String(amountMinor), expiresAt: expiresAt.toISOString() };
    const reply = await this.#call('POST', '/v1/collections', body);
    const { payUrl, qrContent } = read(collected, reply.json);
    return { payUrl, qrContent: qrContent ?? null };
  }

  async queryCollection(reference: string): Promise<PaymentReport | undefined> {
    return this.#payment('GET', `/v1/collections/${encodeURIComponent(reference)}`);
  }

  async cancelCollection(reference: string): Promise<PaymentReport | undefined> {
    const path = `/v1/collections/${encodeURIComponent(reference)}`;
    const reply = await this.#call('POST', `${path}/cancel`, {}, [404, 409]);
    // Already paid or refused: what it is now says more than why it was not cancelled.
    return reply.status === 409 ? this.#payment('GET', path) : reportOf(reply);
  }

  async refund(request: RefundRequest): Promise<RefundReport> {
    const reply = await this.#call('POST', '/v1/refunds', {
      ...request,
      amountMinor: String(request.amountMinor),
    });
    const { status, reason } = read(refunded, reply.json);
    return { status, reason: wordsOf(reason) };
  }

  readCallback(
    headers: Record<string, string | string[] | undefined>,
    body: Buffer,
  ): ChannelEvent | undefined {
    const timestamp = headers['x-bank-timestamp'];
    const signature = headers['x-bank-signature'];
    if (typeof timestamp !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(timestamp))
      return undefined;
    if (Math.abs(Date.now() / 1000 - Number(timestamp)) > callbackToleranceSeconds) return undefined;
    const expected = this.#sign(Buffer.concat([Buffer.from(`${timestamp}\n`), body]));
    if (!sameText(signature, expected)) return undefined;
    const event = readEvent(body);
    const [kind, status] = event.type.split('.') as ['collection' | 'payout', 'paid' | 'refused'];
    const { reference, bankId: bankReference, amountMinor, currency, reason: words } = event;
    const report = { reference, status, bankReference };
    if (kind === 'payout') {
      return { kind, report: { ...report, reason: refusalOf(payoutRefusalOf, { status, words }) } };
    }
    const reason = refusalOf(collectionRefusalOf, { status, words });
    return { kind: 'payment', report: { ...report, amountMinor, currency, reason } };
  }

  async payOut({ amountMinor, ...rest }: PayOutRequest): Promise<void> {
    await this.#call('POST', '/v1/payouts', { ...rest, amountMinor: String(amountMinor) });
  }

  async queryPayout(reference: string): Promise<PayoutReport | undefined> {
    const reply = await this.#call('GET', `/v1/payouts/${encodeURIComponent(reference)}`, undefined, [404]);
    return reply.status === 404 ? undefined : payoutReportOf(reply);
  }

  async voidPayout(reference: string): Promise<PayoutReport> {
    return payoutReportOf(await this.#call('POST', `/v1/payouts/${encodeURIComponent(reference)}/void`, {}));
  }

  /** Presses the payer's button at the sandbox bank: what nobody could do at a real one. */
  async playPayer(reference: string, button: 'confirm' | 'decline'): Promise<void> {
    await this.#call('POST', `/v1/collections/${encodeURIComponent(reference)}/${button}`, {});
  }

  async #payment(method: 'GET', path: string): Promise<PaymentReport | undefined> {
    return reportOf(await this.#call(method, path, undefined, [404]));
  }

  async #call(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    alsoTakes: readonly number[] = [],
  ): Promise<Reply> {
    const text = body === undefined ? '' : JSON.stringify(body);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const hash = createHash('sha256').update(text).digest('hex');
    const headers = {
      'x-bank-timestamp': timestamp,
      'x-bank-signature': this.#sign([method, path, timestamp, hash].join('\n')),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    try {
      const init = {
        method,
        headers,
        // What is signed for one address is for no other.
        redirect: 'error' as const,
        signal: AbortSignal.timeout(timeoutMs),
        ...(body !== undefined && { body: text }),
      };
      const response = await fetch(this.#options.url + path, init);
      if (!response.ok && !alsoTakes.includes(response.status)) {
        throw new ChannelUnavailable(`the bank answered ${response.status} to ${method} ${path}`);
      }
      return { status: response.status, json: await response.json() };
    } catch (error) {
      if (error instanceof ChannelUnavailable) throw error;
      throw new ChannelUnavailable(`the bank did not answer ${method} ${path}`, { cause: error });
    }
  }

  #sign(data: string | Buffer): string {
    return createHmac('sha256', this.#options.secret).update(data).digest('hex');
  }
}

/** What the bank tells. Throws `bad_request` where that can't be read, whoever signed it. */
function readEvent(body: Buffer): z.output<typeof callback> {
  try {
    return callback.parse(JSON.parse(body.toString('utf8')));
  } catch {
    throw new Refusal('bad_request');
  }
}

interface Reply {
  status: number;
  json: unknown;
}

function payoutReportOf(reply: Reply): PayoutReport {
  const { id, reference, status, reason: words } = read(payout, reply.json);
  return { reference, status, bankReference: id, reason: refusalOf(payoutRefusalOf, { status, words }) };
}

function reportOf(reply: Reply): PaymentReport | undefined {
  if (reply.status === 404) return undefined;
  const { id, reason: words, ...rest } = read(payment, reply.json);
  const reason = refusalOf(collectionRefusalOf, { status: rest.status, words });
  return { ...rest, bankReference: id, reason };
}

/** The code for the bank's words; `other` for words that mean nothing to us. Null for what was not refused. */
function refusalOf<Code extends string>(
  codes: ReadonlyMap<string, Code>,
  { status, words = null }: { status: string; words: string | null | undefined },
): ChannelRefusal<Code | 'other'> | null {
  if (status !== 'refused') return null;
  return { code: codes.get(words ?? '') ?? 'other', words: wordsOf(words) };
}

/** The bank's words as they are kept: a refusal that cannot be stored would never arrive. */
function wordsOf(words: string | null | undefined): string | null {
  return words === null || words === undefined ? null : storableText(words, mostWords);
}

/** A reply that can't be read tells nothing: the outcome is unknown. */
function read<S extends z.ZodType>(schema: S, json: unknown): z.output<S> {
  const parsed = schema.safeParse(json);
  if (!parsed.success)
    throw new ChannelUnavailable('the bank’s reply cannot be read', { cause: parsed.error });
  return parsed.data;
}
