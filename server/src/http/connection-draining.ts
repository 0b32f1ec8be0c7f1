import { setImmediate, setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * Has a server leave so that nobody notices: for a time it takes and answers what still comes, and says with each
 * answer that the connection ends with it. Only then it stops to listen, and closes what is idle: by then no request
 * is on its way over such a connection.
 */
export function drainConnections(app: FastifyInstance, drainSeconds: number): void {
  let isDraining = false;
  app.addHook('preClose', async () => {
    isDraining = true;
    if (!app.server.listening) return;
    await setTimeout(drainSeconds * 1000);
    // A process that was held up reads first what has come meanwhile.
    await setImmediate();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining) reply.header('connection', 'close');
    done(null, payload);
  });
}
