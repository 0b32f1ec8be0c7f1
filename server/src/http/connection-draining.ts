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
    if (!app.server.listening) return;
    await setTimeout(drainSeconds * 1000);
    // If the event loop was blocked, this lets it read the requests that have arrived meanwhile.
    await setImmediate();
    // A stream's reply carries no `Connection: close`. Without this, its idle connection would delay the stop by the keep-alive timeout.
    app.server.keepAliveTimeout = 1;
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining) reply.header('connection', 'close');
    done(null, payload);
  });
}
