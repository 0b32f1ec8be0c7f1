import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Header with the time of signing, in Unix seconds. */
export const timestampHeader = 'x-bank-timestamp';
/** Header with the signature, lower-case hex. */
export const signatureHeader = 'x-bank-signature';
/** How far the two clocks may differ, seconds. */
export const toleranceSeconds = 300;

/** The signed parts of a request to the bank; `path` includes its query as sent. */
export type SignedRequest = {
  method: string;
  path: string;
  timestamp: string;
  body: Uint8Array | string;
};

/**
 * Signs a request: hex HMAC-SHA256 over method, path with query, timestamp and the body's SHA-256, one
 * per line.
 */
export function signRequest(secret: string, { method, path, timestamp, body }: SignedRequest): string {
  const bodyHash = createHash('sha256').update(body).digest('hex');
  return hmacHex(secret, `${method}\n${path}\n${timestamp}\n${bodyHash}`);
}

/** Signs a callback: hex HMAC-SHA256 over its timestamp and raw body, one per line. */
export function signCallback(secret: string, timestamp: string, rawBody: string): string {
  return hmacHex(secret, `${timestamp}\n${rawBody}`);
}

/** Compares in constant time; anything but a lower-case hex SHA-256 is refused. */
export function matchesSignature(expected: string, given: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(given)) return false;
  return timingSafeEqual(Buffer.from(expected, 'hex'), Buffer.from(given, 'hex'));
}

/** Whether a timestamp header is a whole number of Unix seconds within the tolerance of `nowMs`. */
export function isFresh(timestamp: string, nowMs: number): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  return Math.abs(Math.floor(nowMs / 1000) - Number(timestamp)) <= toleranceSeconds;
}

/** Returns Unix seconds as the timestamp headers carry them. */
export function unixSeconds(nowMs: number): string {
  return String(Math.floor(nowMs / 1000));
}

function hmacHex(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
