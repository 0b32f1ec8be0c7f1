import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionError, HengfuError, isAboutOrder, leavesOutcomeUnknown } from './errors.ts';
import type { Options, RequestOptions } from './options.ts';
import { encode, sign } from './signature.ts';

/** The version of the Open API that this library is written for. */
const apiVersion = '2026-11-25';
const userAgent = 'hengfu-typescript/0.1.0';
const maxDelayMs = 30_000;
/** The longest wait that the service may ask for; after a longer one the caller decides. */
const maxRetryAfterSeconds = 60;

/** Values of a query; undefined ones are not sent. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** One call, whatever the number of attempts. */
interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Query;
  readonly body?: object;
}

/** Sends signed calls, and repeats those that may succeed later: the same number and body, newly signed. */
export class Transport {
  readonly #options: Options;
  readonly #base: string;

  constructor(options: Options) {
    this.#options = options;
    this.#base = checkedBase(options.base);
    if (options.key === '' || options.secret === '') throw new TypeError('key and secret must not be empty');
  }

  async send(call: Call, options: RequestOptions = {}): Promise<unknown> {
    const { maxRetries = 4, retryDelayMs = 1000 } = this.#options;
    const pathWithQuery = call.path + queryText(call.query ?? {});
    const body = call.body === undefined ? '' : JSON.stringify(call.body);
    let isUnknown = false;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(call.method, pathWithQuery, body, options);
      } catch (error) {
        isUnknown = isUnknownAfter(error, isUnknown);
        const waitMs = waitBefore(error, retryDelayMs * 2 ** attempt);
        if (waitMs === undefined || attempt >= maxRetries || options.signal?.aborted)
          throw isUnknown && error instanceof HengfuError ? new ConnectionError(error) : error;
        await delay(waitMs, undefined, { signal: options.signal });
      }
    }
  }

  async #attempt(
    method: string,
    pathWithQuery: string,
    body: string,
    { idempotencyKey, signal }: RequestOptions,
  ): Promise<unknown> {
    const { key, secret, language, timeoutMs = 60_000 } = this.#options;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const nonce = randomBytes(16).toString('hex');
    const timeout = AbortSignal.timeout(timeoutMs);
    // Before the call, so that a value that no header can have is not taken for a lost connection.
    const headers = new Headers({
      'user-agent': userAgent,
      'hengfu-version': apiVersion,
      'x-key': key,
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': sign(secret, { method, pathWithQuery, timestamp, nonce, body }),
      ...(language && { 'accept-language': language }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(body !== '' && { 'content-type': 'application/json' }),
    });
    try {
      const response = await fetch(this.#base + pathWithQuery, {
        method,
        headers,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        ...(body !== '' && { body }),
      });
      return read(response, await response.text());
    } catch (error) {
      if (error instanceof HengfuError || signal?.aborted) throw error;
      throw new ConnectionError(error);
    }
  }
}

/** Returns the base without a slash at its end. A secret signs every call, so plain HTTP would show all orders. */
function checkedBase(base: string): string {
  const { protocol, hostname, origin, pathname, search, hash } = new URL(base);
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal))
    throw new TypeError('base must begin with https://');
  if (pathname !== '/' || search !== '' || hash !== '')
    throw new TypeError('base must be a scheme and a host only');
  return origin;
}

function queryText(query: Query): string {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encode(name)}=${encode(String(value))}`);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

function read(response: Response, text: string): unknown {
  const reply = parse(text);
  if (response.ok && reply !== undefined) return reply;
  throw errorOf(response, reply);
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function errorOf(response: Response, reply: Record<string, unknown> | undefined): HengfuError {
  const { status, headers } = response;
  const retryAfter = headers.get('retry-after') ?? '';
  const retryAfterSeconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined;
  const requestId = headers.get('x-request-id') ?? undefined;
  if (typeof reply?.code !== 'string') {
    const message = `the reply with status ${status} is not one of the service`;
    return new HengfuError({ status, code: 'unreadable_reply', message, requestId, retryAfterSeconds });
  }
  const { code, message, request_id, details, errors } = reply as {
    code: string;
    message?: string;
    request_id?: string;
    details?: Record<string, unknown>;
    errors?: Record<string, string[]>;
  };
  const skew = code === 'signature_expired' ? skewSentence(headers.get('date')) : '';
  return new HengfuError({
    status,
    code,
    message: `${message ?? ''}${skew}`,
    requestId: request_id ?? requestId,
    details,
    errors,
    retryAfterSeconds,
  });
}

/** Says how far this machine's clock is off, by the service's own. */
function skewSentence(date: string | null): string {
  const seconds = Math.round((Date.now() - Date.parse(date ?? '')) / 1000);
  if (Number.isNaN(seconds)) return '';
  const direction = seconds > 0 ? 'ahead of' : 'behind';
  return ` This machine's clock is ${Math.abs(seconds)} s ${direction} the service's: synchronize it (NTP).`;
}

/** Tells whether the outcome of a call is unknown after an attempt that failed. `wasUnknown`: it was before that attempt. */
function isUnknownAfter(error: unknown, wasUnknown: boolean): boolean {
  if (!(error instanceof HengfuError)) return error instanceof ConnectionError;
  return leavesOutcomeUnknown(error) || (wasUnknown && !isAboutOrder(error));
}

/** Returns the milliseconds to wait before another attempt; undefined if there must be none. */
function waitBefore(error: unknown, backoffMs: number): number | undefined {
  // At random between half and all of it, so that many callers do not return at once.
  const waitMs = Math.min(backoffMs, maxDelayMs) * (0.5 + Math.random() / 2);
  if (error instanceof ConnectionError) return waitMs;
  if (!(error instanceof HengfuError) || !error.isTemporary) return undefined;
  const { retryAfterSeconds = 0 } = error;
  return retryAfterSeconds > maxRetryAfterSeconds ? undefined : Math.max(waitMs, retryAfterSeconds * 1000);
}
