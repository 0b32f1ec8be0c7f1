import { setImmediate, setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * Drains connections on shutdown, so that no client gets an error: for `drainSeconds` the server keeps
 * accepting and answering requests, with `Connection: close` on each reply. Only then does it stop listening
 * and close idle connections, when no request can be on its way over one of them.
 */
export function drainConnections(app: FastifyInstance, drainSeconds: number): void {
  let isDraining = false;
  app.addHook('preClose', async () => {
    isDraining = true;
    // A stream announces nothing, and its connection may fall idle after the idle ones were closed: it does not wait there for
    // another request, which would hold up the stop for as long.
    app.server.keepAliveTimeout = 1;
    if (!app.server.listening) return;
    await setTimeout(drainSeconds * 1000);
    // If the event loop was blocked, this lets it read the requests that have arrived meanwhile.
    await setImmediate();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining) reply.header('connection', 'close');
    done(null, payload);
  });
}
