import { createHmac, timingSafeEqual } from 'node:crypto';

/** A genuine callback. */
export interface CallbackEvent<Data = Record<string, unknown>> {
  /** `webhook-id`: the same on every attempt. Store it, and answer a repeated one with 2xx. */
  readonly id: string;
  /** As in `collection.paid`. Ignore types that you do not know. */
  readonly type: string;
  /** When it happened, ISO 8601. */
  readonly timestamp: string;
  /** The order, payout or refund as it was then. */
  readonly data: Data;
}

/** Why a callback was refused. Answer with status 401 and do nothing else. */
type Reason = 'missing_header' | 'timestamp_out_of_range' | 'no_matching_signature' | 'malformed_body';

const sentences: Record<Reason, string> = {
  missing_header: 'a webhook-* header is missing',
  timestamp_out_of_range: 'the timestamp is too far from this machine’s clock',
  no_matching_signature: 'no signature matches: check the secret, and pass the raw body',
  malformed_body: 'the signed body is not an event',
};

export class CallbackVerificationError extends Error {
  override readonly name = 'CallbackVerificationError';
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(sentences[reason]);
    this.reason = reason;
  }
}

export interface VerifyOptions {
  /** Seconds between the callback's timestamp and now; 300 by default. */
  readonly toleranceSeconds?: number;
  /** Unix time in seconds; the clock's by default. */
  readonly now?: number;
}

/** Headers as Node or the Fetch API have them, with names in any case. */
type GivenHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Returns the event of a genuine callback; throws {@link CallbackVerificationError} for any other request, and TypeError if a
 * secret is empty or not base64 after `whsec_`.
 * @param secrets the secret of your access key or endpoint, or several while you replace one
 * @param rawBody the bytes as they arrived: JSON that was parsed and written again has another signature
 */
export function verifyCallback<Data = Record<string, unknown>>(
  secrets: string | readonly string[],
  headers: GivenHeaders,
  rawBody: string | Uint8Array,
  { toleranceSeconds = 300, now = Date.now() / 1000 }: VerifyOptions = {},
): CallbackEvent<Data> {
  const keys = (typeof secrets === 'string' ? [secrets] : secrets).map(keyOf);
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures) throw new CallbackVerificationError('missing_header');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > toleranceSeconds)
    throw new CallbackVerificationError('timestamp_out_of_range');
  const body = typeof rawBody === 'string' ? Buffer.from(rawBody) : rawBody;
  const isGenuine = keys.some((key) => {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
    return signatures.split(' ').some((entry) => matches(entry, expected));
  });
  if (!isGenuine) throw new CallbackVerificationError('no_matching_signature');
  return eventOf<Data>(id, Buffer.from(body).toString('utf8'));
}

/** The key's bytes: those of the text, or those that `whsec_` and base64 stand for. */
function keyOf(secret: string): Buffer {
  const key = secret.startsWith('whsec_') ? bytesOf(secret.slice(6)) : Buffer.from(secret);
  if (!key?.length) throw new TypeError('the secret must not be empty, or other than base64 after whsec_');
  return key;
}

/** Decodes base64; returns undefined for any other text. Node itself skips what is not base64. */
function bytesOf(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

function matches(entry: string, expected: Buffer): boolean {
  if (!entry.startsWith('v1,')) return false;
  const given = bytesOf(entry.slice(3));
  return given?.length === expected.length && timingSafeEqual(given, expected);
}

function eventOf<Data>(id: string, text: string): CallbackEvent<Data> {
  try {
    const { type, timestamp, data } = JSON.parse(text);
    if (typeof type === 'string' && typeof data === 'object' && data !== null)
      return { id, type, timestamp, data };
  } catch {
    // Reported below, like JSON of another shape.
  }
  throw new CallbackVerificationError('malformed_body');
}

function header(headers: GivenHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : undefined;
}
