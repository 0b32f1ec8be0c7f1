import { createHash, createHmac } from 'node:crypto';

/** The signed parts of a call. The path includes the query, both as sent. */
export interface SignedParts {
  readonly method: string;
  readonly pathWithQuery: string;
  /** Unix time in seconds. */
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: string;
}

/** Computes the value of `X-Signature`: the lower-case hex HMAC-SHA256 of the canonical text. */
export function sign(secret: string, parts: SignedParts): string {
  const bodyHash = createHash('sha256').update(parts.body).digest('hex');
  const canonical = [parts.method, parts.pathWithQuery, parts.timestamp, parts.nonce, bodyHash].join('\n');
  return createHmac('sha256', secret).update(canonical).digest('hex');
}

/** Percent-encodes a text for a path or a query: every byte but letters, digits and `-._~`. */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
