import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { beginningOf, type Clean, cleanOf, cleanOfText, maskedBody, maskedQuery } from './masking.ts';
import { reasonOf } from './refusal-reason.ts';
import type { CallEntry } from './request-log.sql.ts';

/** A signed call once it has been served: of the request only what its entry needs, because requests hold their connections. */
export interface SignedCall
  extends Pick<
    FastifyRequest,
    'id' | 'method' | 'url' | 'params' | 'query' | 'body' | 'rawBody' | 'sentBody' | 'namedKey'
  > {
  headers: IncomingHttpHeaders;
  address: string;
  status: number;
  elapsedMs: number;
  at: Date;
}

const maxPathLength = 512;
const maxNameLength = 64;
/** Text without control characters, which PostgreSQL may not be able to store. */
const plainText = /^[^\p{C}]{1,64}$/u;
const empty = Buffer.alloc(0);

/**
 * Builds the log's entry of a signed call. The secret of its key appears nowhere, even if the caller sent it.
 * @param maskedUrl returns the path of a URL without tokens
 */
export function entryOf(call: SignedCall, maskedUrl: (url: string) => string): CallEntry {
  // Everything is cleaned before it is cut: of a secret that was cut through, a part would be left.
  const secret = call.namedKey?.secret;
  const clean = cleanOf(secret);
  const query = maskedQuery(call.url, clean);
  const shownUrl = maskedUrl(call.url);
  const path = cleanOfText(shownUrl, secret)(shownUrl).slice(0, maxPathLength);
  const { rawBody, sentBody = '', status } = call;
  // Paths that nobody serves have parsed bodies whose bytes were not kept.
  const cleanSent = rawBody ? cleanOfText(rawBody.toString(), secret) : clean;
  const sent = bodyOf(call.body, bytesReceived(call), cleanSent);
  const reply = parsed(sentBody);
  const cleanReceived = cleanOfText(sentBody, secret);
  const received = bodyOf(reply, Buffer.byteLength(sentBody), cleanReceived);
  const sources: NumberSource[] = [
    [reply, cleanReceived],
    [call.params, clean],
    [call.query, clean],
    [call.body, cleanSent],
  ];
  const code = status < 400 ? undefined : plain(field(reply, 'code'));
  const shown = { shownPath: path, shownQuery: query?.text, isBodyMasked: sent.isMasked };
  return {
    requestId: call.id,
    method: call.method,
    path,
    // An empty query says nothing.
    query: query?.text || undefined,
    status,
    code,
    durationMs: Math.round(call.elapsedMs),
    address: call.address,
    tradeNo: numberIn(sources, 'trade_no'),
    outTradeNo: numberIn(sources, 'out_trade_no'),
    reason: code === undefined ? undefined : reasonOf({ ...refusedCallOf(call, code, reply), ...shown }),
    request: { bytes: sent.bytes, text: sent.text, isCut: sent.isCut },
    response: { bytes: received.bytes, text: received.text, isCut: received.isCut },
  };
}

/** Returns what explains a refusal, apart from what the log shows of the call. */
function refusedCallOf(call: SignedCall, code: string, reply: unknown) {
  const timestamp = headerOf(call, 'x-timestamp');
  const nonce = headerOf(call, 'x-nonce');
  return {
    code,
    parts: {
      method: call.method,
      pathWithQuery: call.url,
      timestamp: timestamp ?? '',
      nonce: nonce ?? '',
      body: call.rawBody ?? empty,
    },
    headers: {
      'x-key': headerOf(call, 'x-key'),
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': headerOf(call, 'x-signature'),
    },
    address: call.address,
    at: call.at,
    key: call.namedKey,
    fields: fieldsOf(reply, cleanOf(call.namedKey?.secret)),
    scope: field(field(reply, 'details'), 'scope'),
  };
}

/** Masks a body. Without one there is nothing to mask; of one that is not JSON, only the size is kept. */
function bodyOf(body: unknown, bytes: number, clean: Clean) {
  if (bytes === 0) return { bytes, text: undefined, isCut: false, isMasked: false };
  if (typeof body !== 'object' || body === null)
    return { bytes, text: undefined, isCut: false, isMasked: true };
  return { bytes, ...maskedBody(body, clean) };
}

/** The bytes of a body that was read, or those that were announced. */
function bytesReceived({ rawBody, headers }: SignedCall): number {
  if (rawBody) return rawBody.length;
  const announced = Number(headers['content-length'] ?? 0);
  return Number.isSafeInteger(announced) && announced >= 0 ? Math.min(announced, 2 ** 31 - 1) : 0;
}

function parsed(text: string | undefined): unknown {
  if (!text?.startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A part of a call in which an order number may be found, and what cleans it. */
type NumberSource = readonly [object: unknown, clean: Clean];

/** Finds an order number in the first of the sources that has one. */
function numberIn(sources: readonly NumberSource[], name: string): string | undefined {
  for (const [object, clean] of sources) {
    const number = plain(field(object, name));
    if (number !== undefined) return clean(number);
  }
  return undefined;
}

/** Names of the fields that a reply rejects. */
function fieldsOf(reply: unknown, clean: Clean): string[] {
  const errors = field(reply, 'errors');
  if (typeof errors !== 'object' || errors === null) return [];
  return Object.keys(errors).map((name) => beginningOf(clean(name), maxNameLength).replaceAll(/\p{C}/gu, ''));
}

function plain(value: unknown): string | undefined {
  return typeof value === 'string' && plainText.test(value) ? value : undefined;
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function headerOf({ headers }: SignedCall, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' && value.length <= 512 ? value : undefined;
}
