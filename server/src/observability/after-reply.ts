import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The reply's body, if it is a text. */
    sentBody: string | undefined;
  }
}

type Work = (request: FastifyRequest, reply: FastifyReply) => void;

/** The work of each application, which shares its hooks. */
const works = new WeakMap<FastifyInstance, Work[]>();

/**
 * Does something once after each reply: when it has been sent, or when there is nobody any more to send it to. Fastify's `onResponse` alone
 * would not do: it never comes if the caller has hung up, and whoever hangs up in time must not leave less trace than others.
 */
export function afterReply(app: FastifyInstance, work: Work): void {
  const known = works.get(app);
  if (known) known.push(work);
  else {
    const all = [work];
    works.set(app, all);
    addHooks(app, all);
  }
}

function addHooks(app: FastifyInstance, all: readonly Work[]): void {
  const done = new WeakSet<FastifyRequest>();
  app.decorateRequest('sentBody', undefined);
  const once = (request: FastifyRequest, reply: FastifyReply) => {
    if (done.has(request)) return;
    done.add(request);
    for (const work of all) attempt(work, request, reply);
  };
  app.addHook('onSend', (request, reply, payload, next) => {
    // Before anything else: a caller may hang up while later hooks still wait.
    if (typeof payload === 'string') request.sentBody = payload;
    // A connection that has closed says so no more. The other hooks of the reply come first.
    if (reply.raw.closed) setImmediate(once, request, reply);
    else reply.raw.once('close', () => once(request, reply));
    next();
  });
  app.addHook('onResponse', (request, reply, next) => {
    once(request, reply);
    next();
  });
}

/** Does work whose failure keeps none of the others from theirs. */
function attempt(work: Work, request: FastifyRequest, reply: FastifyReply): void {
  try {
    work(request, reply);
  } catch (error) {
    request.log.error(error, 'work after a reply failed');
  }
}
