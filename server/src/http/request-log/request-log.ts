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
  const later = new Later();
  app.decorateRequest('sentBody', undefined);
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (typeof payload === 'string' && request.url.startsWith(openApi)) request.sentBody = payload;
    done();
  });
  afterReply(app, (request, reply) => {
    const keyId = keyNamedBy(request);
    if (keyId === undefined) return;
    const at = new Date(Date.now() - reply.elapsedTime);
    later.do(() => note(buffer, { keyId, at }, request, reply));
  });
  app.addHook('onClose', () => {
    later.doAll();
    return buffer.stop();
  });
}

/** Does work once all replies that are ready have been sent, so that none of them waits for it. */
class Later {
  #work: (() => void)[] = [];

  do(work: () => void): void {
    if (this.#work.push(work) === 1) setImmediate(() => this.doAll());
  }

  doAll(): void {
    const all = this.#work;
    this.#work = [];
    for (const work of all) work();
  }
}

function note(
  buffer: CallBuffer,
  { keyId, at }: { keyId: string; at: Date },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const elapsedMs = request.servedMs > 0 ? request.servedMs : reply.elapsedTime;
  const isRefused = reply.statusCode >= 400 && reply.statusCode < 500;
  const merchantId = request.namedKey?.home.merchantId;
  const isVerified = request.hasRightSignature === true;
  const isChange = isWrite(request);
  buffer.add({ merchantId, keyId, at, isRefused, isVerified, isChange }, () =>
    loggedCallOf(request, {
      status: reply.statusCode,
      path: request.server.maskedUrl(request.url),
      elapsedMs,
      at,
    }),
  );
}

/** Returns the ID of the key that a call to the Open API names; undefined if it names none. */
function keyNamedBy({ url, headers }: FastifyRequest): string | undefined {
  const keyId = headers['x-key'];
  return url.startsWith(openApi) && typeof keyId === 'string' && keyPattern.test(keyId) ? keyId : undefined;
}
