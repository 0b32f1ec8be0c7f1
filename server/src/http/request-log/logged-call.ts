import type { FastifyRequest } from 'fastify';
import { beginningOf, type Clean, cleanOf, cleanOfJson, maskedBody, maskedQuery } from './masking.ts';
import { reasonOf } from './refusal-reason.ts';
import type { CallEntry } from './request-log.sql.ts';

/** The outcome of a call, as the server sees it. */
interface Outcome {
  status: number;
  address: string;
  elapsedMs: number;
  at: Date;
}

const maxPathLength = 512;
const maxNameLength = 64;
/** Text without control characters, which PostgreSQL may not be able to store. */
const plainText = /^[^\p{C}]{1,64}$/u;
const empty = Buffer.alloc(0);

/** Builds the log's entry of a signed call. The secret of its key appears nowhere, even if the caller sent it. */
export function loggedCallOf(
  request: FastifyRequest,
  { status, address, elapsedMs, at }: Outcome,
): CallEntry {
  // Everything is cleaned before it is cut: of a secret that was cut through, a part would be left.
  const secret = request.namedKey?.secret;
  const clean = cleanOf(secret);
  const query = maskedQuery(request.url, clean);
  const shownPath = clean(request.server.maskedUrl(request.url)).slice(0, maxPathLength);
  const { rawBody = empty, sentBody = '' } = request;
  const sent = bodyOf(request.body, bytesReceived(request), cleanOfJson(rawBody.toString(), secret));
  const reply = parsed(sentBody);
  const received = bodyOf(reply, Buffer.byteLength(sentBody), cleanOfJson(sentBody, secret));
  const code = status < 400 ? undefined : plain(field(reply, 'code'));
  const reason = reasonOf({
    code,
    parts: {
      method: request.method,
      pathWithQuery: request.url,
      timestamp: headerOf(request, 'x-timestamp') ?? '',
      nonce: headerOf(request, 'x-nonce') ?? '',
      body: rawBody,
    },
    headers: {
      'x-key': headerOf(request, 'x-key'),
      'x-timestamp': headerOf(request, 'x-timestamp'),
      'x-nonce': headerOf(request, 'x-nonce'),
      'x-signature': headerOf(request, 'x-signature'),
    },
    address,
    at,
    key: request.namedKey,
    shownPath,
    shownQuery: query?.text,
    isBodyMasked: sent.isMasked,
    fields: fieldsOf(reply, clean),
    scope: field(field(reply, 'details'), 'scope'),
  });
  return {
    requestId: request.id,
    method: request.method,
    path: shownPath,
    query: query?.text,
    status,
    code,
    durationMs: Math.round(elapsedMs),
    address,
    tradeNo: numberOf('trade_no', { reply, request, clean }),
    outTradeNo: numberOf('out_trade_no', { reply, request, clean }),
    reason,
    request: { bytes: sent.bytes, text: sent.text, isCut: sent.isCut },
    response: { bytes: received.bytes, text: received.text, isCut: received.isCut },
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
function bytesReceived({ rawBody, headers }: FastifyRequest): number {
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

/** Finds an order number in the reply; then in path, query and body of the call. */
function numberOf(
  name: string,
  { reply, request, clean }: { reply: unknown; request: FastifyRequest; clean: Clean },
): string | undefined {
  const { params, query, body } = request;
  for (const source of [reply, params, query, body]) {
    const number = plain(field(source, name));
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

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' && value.length <= 512 ? value : undefined;
}
