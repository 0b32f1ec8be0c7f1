import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { afterReply } from '../after-reply.ts';
import { isWrite } from '../session-cookies.ts';
import { loggedCallOf } from './logged-call.ts';
import type { RequestBuffer } from './request-buffer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The reply's body, of signed calls. */
    sentBody: string | undefined;
  }
}

type CallBuffer = Pick<RequestBuffer, 'add' | 'stop'>;

const openApi = '/openapi/';
const keyPattern = /^[\w-]{1,64}$/;

/**
 * Logs the calls that name an access key, once their reply has been sent or their caller has hung up: those that were admitted, and those
 * that were refused for whatever reason. Calls that name a key which does not exist leave no trace.
 */
export function logSignedCalls(app: FastifyInstance, buffer: CallBuffer): void {
  app.decorateRequest('sentBody', undefined);
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (typeof payload === 'string' && request.url.startsWith(openApi)) request.sentBody = payload;
    done();
  });
  afterReply(app, (request, reply) => {
    const keyId = keyNamedBy(request);
    if (keyId !== undefined) note(buffer, keyId, request, reply);
  });
  app.addHook('onClose', () => buffer.stop());
}

/** Notes a call. What would be gone when its entry is built is read now: the connection may have closed by then. */
function note(buffer: CallBuffer, keyId: string, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode: status, elapsedTime } = reply;
  const elapsedMs = request.servedMs > 0 ? request.servedMs : elapsedTime;
  const at = new Date(Date.now() - elapsedTime);
  const address = request.ip;
  const facts = {
    merchantId: request.namedKey?.home.merchantId,
    keyId,
    at,
    isRefused: status >= 400 && status < 500,
    isVerified: request.hasRightSignature === true,
    isChange: isWrite(request),
  };
  const bytes = (request.rawBody?.length ?? 0) + (request.sentBody?.length ?? 0);
  buffer.add(facts, bytes, () => loggedCallOf(request, { status, address, elapsedMs, at }));
}

/** Returns the ID of the key that a call to the Open API names; undefined if it names none. */
function keyNamedBy({ url, headers }: FastifyRequest): string | undefined {
  const keyId = headers['x-key'];
  return url.startsWith(openApi) && typeof keyId === 'string' && keyPattern.test(keyId) ? keyId : undefined;
}
