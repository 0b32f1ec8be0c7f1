import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { maxOrderDistanceMs, secondOfOrder } from '#domain/call-blocks.ts';
import { timeOfNewRequest } from '#domain/request-ids.ts';
import { afterReply } from '#observability/after-reply.ts';
import { isWrite } from '../session-cookies.ts';
import { createFields } from './blocks/create-fields.ts';
import type { CreatedCall } from './blocks/created-calls.ts';
import { entryOf, type SignedCall } from './logged-call.ts';
import type { RequestBuffer } from './request-buffer.ts';

type CallBuffer = Pick<RequestBuffer, 'add' | 'addCreated' | 'stop'>;

/** Bytes of the body and characters of the reply. */
const maxCreatedLength = 8192;
const openingBrace = 0x7b;
const openApi = '/openapi/';
const keyPattern = /^[\w-]{1,64}$/;

/**
 * Logs the calls that name an access key, once their reply has been sent or their caller has hung up: those that were admitted, and those
 * that were refused for whatever reason. Calls that name a key which does not exist leave no trace.
 */
export function logSignedCalls(app: FastifyInstance, buffer: CallBuffer): void {
  afterReply(app, (request, reply) => {
    const keyId = keyNamedBy(request);
    if (keyId === undefined) return;
    const created = createdCall(keyId, request, reply);
    if (!(created && buffer.addCreated(created))) note(buffer, keyId, request, reply);
  });
  app.addHook('onClose', () => buffer.stop());
}

/** Returns a call that created an order; undefined for any other call, one that repeats an earlier one, and an unusually large one. */
function createdCall(keyId: string, request: FastifyRequest, reply: FastifyReply): CreatedCall | undefined {
  const { id, url, namedKey, rawBody, sentBody } = request;
  if (reply.statusCode !== 201 || !Object.hasOwn(createFields, url)) return undefined;
  if (!namedKey || rawBody?.[0] !== openingBrace || sentBody?.[0] !== '{') return undefined;
  const { at, elapsedMs } = timeOf(request, reply);
  const orderAt = orderSeconds.of(orderIn(sentBody));
  const isFresh = orderAt && Math.abs(orderAt.getTime() - at.getTime()) <= maxOrderDistanceMs;
  if (!isFresh || rawBody.length + sentBody.length > maxCreatedLength) return undefined;
  return {
    merchantId: namedKey.home.merchantId,
    keyId,
    secret: namedKey.secret,
    path: url,
    address: request.ip,
    requestId: id,
    at,
    orderAt,
    elapsedMs,
    rawBody,
    sentBody,
  };
}

/** Reads the seconds in the numbers of orders: nearly always, it is that of the order before. */
class OrderSeconds {
  #beginning = '';
  #second: Date | undefined;

  of(tradeNo: string): Date | undefined {
    if (!this.#second || !tradeNo.startsWith(this.#beginning)) {
      this.#second = secondOfOrder(tradeNo);
      this.#beginning = tradeNo.slice(0, secondLength);
    }
    return this.#second;
  }
}

/** The length of a letter and a second. */
const secondLength = 13;
const orderSeconds = new OrderSeconds();
const orderName = '"trade_no":"';

/** Returns the number of the order in a reply. */
function orderIn(reply: string): string {
  const begin = reply.indexOf(orderName) + orderName.length;
  return reply.slice(begin, reply.indexOf('"', begin));
}

/** Returns when a call came, and how long it took. */
function timeOf(
  { id, servedMs }: FastifyRequest,
  { elapsedTime }: FastifyReply,
): { at: Date; elapsedMs: number } {
  return {
    at: timeOfNewRequest(id),
    elapsedMs: servedMs > 0 ? servedMs : elapsedTime,
  };
}

function note(buffer: CallBuffer, keyId: string, request: FastifyRequest, reply: FastifyReply): void {
  const call = servedCall(request, reply);
  const { status, at, namedKey, rawBody, sentBody } = call;
  const facts = {
    merchantId: namedKey?.home.merchantId,
    keyId,
    at,
    isRefused: status >= 400 && status < 500,
    isVerified: request.hasRightSignature === true,
    isChange: isWrite(request),
  };
  const { maskedUrl } = request.server;
  const length = call.url.length + (rawBody?.length ?? 0) + (sentBody?.length ?? 0);
  buffer.add(facts, length, () => entryOf(call, maskedUrl));
}

/** Reads what the entry of a call needs, as long as its connection tells the address. */
function servedCall(request: FastifyRequest, reply: FastifyReply): SignedCall {
  const { id, method, url, params, query, body, headers, rawBody, sentBody, namedKey, ip } = request;
  return {
    id,
    method,
    url,
    params,
    query,
    body,
    headers,
    rawBody,
    sentBody,
    namedKey,
    address: ip,
    status: reply.statusCode,
    ...timeOf(request, reply),
  };
}

/** Returns the ID of the key that a call to the Open API names; undefined if it names none. */
function keyNamedBy({ url, headers }: FastifyRequest): string | undefined {
  const keyId = headers['x-key'];
  return url.startsWith(openApi) && typeof keyId === 'string' && keyPattern.test(keyId) ? keyId : undefined;
}
