import { createHash, createHmac } from 'node:crypto';
import type { ChannelRefusal } from '@hengfu/contract/channels';
import type { FastifyBaseLogger } from 'fastify';
import type * as z from 'zod';
import { Refusal } from '#domain/refusal.ts';
import { sameText } from '#security/secrets.ts';
import { storableText } from '#security/storable-text.ts';
import {
  type ChannelAdapter,
  type ChannelEvent,
  ChannelUnavailable,
  type CollectReply,
  type CollectRequest,
  type ListedOrder,
  type PaymentReport,
  type PayOutRequest,
  type PayoutReport,
  type RefundReport,
  type RefundRequest,
} from '../channel.ts';
import {
  callback,
  collected,
  collectionRefusalOf,
  listed,
  payment,
  payout,
  payoutRefusalOf,
  refunded,
} from './sandbox-messages.ts';

const timeoutMs = 8000;
/** Maximum length of the bank's text that is stored. */
const maxTextLength = 500;
const callbackToleranceSeconds = 300;
const unauthorized = 401;

/** The base URL of the sandbox bank, and the secret that both sides sign with. */
export interface SandboxOptions {
  url: string;
  secret: string;
  /** Receives what only an operator can mend: callers treat every fault as a bank that is away. */
  log?: Pick<FastifyBaseLogger, 'error'>;
}

/** The statement of a channel between two moments. */
export interface SandboxStatement {
  method: string;
  currency: string;
  from: Date;
  until: Date;
  format: 'csv' | 'camt053';
  /** Of sandbox/README.md. */
  faults: readonly string[];
}

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
    // Already paid or refused: its state says more than the failed cancellation.
    return reply.status === 409 ? this.#payment('GET', path) : reportOf(reply);
  }

  async refund(request: RefundRequest): Promise<RefundReport> {
    const reply = await this.#call('POST', '/v1/refunds', {
      ...request,
      amountMinor: String(request.amountMinor),
    });
    return refundReportOf(reply);
  }

  async queryRefund(reference: string): Promise<RefundReport | undefined> {
    const reply = await this.#call('GET', `/v1/refunds/${encodeURIComponent(reference)}`, undefined, [404]);
    return reply.status === 404 ? undefined : refundReportOf(reply);
  }

  async voidRefund(reference: string): Promise<RefundReport> {
    return refundReportOf(await this.#call('POST', `/v1/refunds/${encodeURIComponent(reference)}/void`, {}));
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
    const { reference, bankId: bankReference, amountMinor, currency, reason: text } = event;
    const report = { reference, status, bankReference, amountMinor, currency };
    if (kind === 'payout') {
      return { kind, report: { ...report, reason: refusalOf(payoutRefusalOf, { status, text }) } };
    }
    const reason = refusalOf(collectionRefusalOf, { status, text });
    return { kind: 'payment', report: { ...report, reason } };
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

  async *listOrders(from: Date): AsyncGenerator<ListedOrder> {
    let place = { from: from.toISOString(), after: '' };
    for (let isLast = false; !isLast; ) {
      const query = new URLSearchParams(place);
      const page = read(listed, (await this.#call('GET', `/v1/orders?${query}`)).json);
      yield* page.orders;
      isLast = page.isLast;
      const last = page.orders.at(-1);
      if (last) place = { from: last.createdAt.toISOString(), after: last.reference };
    }
  }

  /** Presses the payer's button at the sandbox bank. A real bank has no such call. */
  async playPayer(reference: string, button: 'confirm' | 'decline'): Promise<void> {
    await this.#call('POST', `/v1/collections/${encodeURIComponent(reference)}/${button}`, {});
  }

  /** Fetches the daily statement of a channel, with faults on demand. A real bank sends its own. */
  async statement(query: SandboxStatement): Promise<string> {
    const { from, until, faults, ...rest } = query;
    const search = new URLSearchParams({
      ...rest,
      from: from.toISOString(),
      until: until.toISOString(),
      faults: faults.join(),
    });
    const reply = await this.#call('GET', `/v1/statements?${search}`, undefined, [], (response) =>
      response.text(),
    );
    return String(reply.json);
  }

  async #payment(method: 'GET', path: string): Promise<PaymentReport | undefined> {
    return reportOf(await this.#call(method, path, undefined, [404]));
  }

  async #call(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    acceptedStatuses: readonly number[] = [],
    readBody = (response: Response): Promise<unknown> => response.json(),
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
        // A request signed for one address must not reach another.
        redirect: 'error' as const,
        signal: AbortSignal.timeout(timeoutMs),
        ...(body !== undefined && { body: text }),
      };
      const response = await fetch(this.#options.url + path, init);
      if (response.status === unauthorized)
        this.#options.log?.error(
          { url: this.#options.url },
          'the sandbox bank refuses our signature: SANDBOX_SECRET must be the same for both, and their clocks must agree',
        );
      if (!response.ok && !acceptedStatuses.includes(response.status)) {
        throw new ChannelUnavailable(`the bank answered ${response.status} to ${method} ${path}`);
      }
      return { status: response.status, json: await readBody(response) };
    } catch (error) {
      if (error instanceof ChannelUnavailable) throw error;
      throw new ChannelUnavailable(`the bank did not answer ${method} ${path}`, { cause: error });
    }
  }

  #sign(data: string | Buffer): string {
    return createHmac('sha256', this.#options.secret).update(data).digest('hex');
  }
}

/** Parses a callback. Throws `bad_request` if it is malformed, even if its signature is valid. */
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

function refundReportOf(reply: Reply): RefundReport {
  const { id = null, status, reason } = read(refunded, reply.json);
  return { status, reason: storableReason(reason), bankReference: id };
}

function payoutReportOf(reply: Reply): PayoutReport {
  const { id, reason: text, ...rest } = read(payout, reply.json);
  const reason = refusalOf(payoutRefusalOf, { status: rest.status, text });
  return { ...rest, bankReference: id, reason };
}

function reportOf(reply: Reply): PaymentReport | undefined {
  if (reply.status === 404) return undefined;
  const { id, reason: text, ...rest } = read(payment, reply.json);
  const reason = refusalOf(collectionRefusalOf, { status: rest.status, text });
  return { ...rest, bankReference: id, reason };
}

/** Maps the bank's text to a code, `other` if it is unknown; null unless the order was refused. */
function refusalOf<Code extends string>(
  codes: ReadonlyMap<string, Code>,
  { status, text = null }: { status: string; text: string | null | undefined },
): ChannelRefusal<Code | 'other'> | null {
  if (status !== 'refused') return null;
  return { code: codes.get(text ?? '') ?? 'other', words: storableReason(text) };
}

/** Makes the bank's text storable: a refusal that cannot be stored would be lost. */
function storableReason(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : storableText(text, maxTextLength);
}

/** Parses a reply. Throws {@link ChannelUnavailable} if it is malformed: the outcome is unknown. */
function read<S extends z.ZodType>(schema: S, json: unknown): z.output<S> {
  const parsed = schema.safeParse(json);
  if (!parsed.success)
    throw new ChannelUnavailable('the bank’s reply cannot be read', { cause: parsed.error });
  return parsed.data;
}
