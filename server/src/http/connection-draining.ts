import type { Socket } from 'node:net';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { requestTimeoutMs } from './time-limits.ts';

/** Time for the first bytes over a connection that a client has just opened. */
const silentConnectionMs = 1_000;
/** Time for the requests and replies in progress once the server has stopped listening: as long as a request may take to arrive. */
const lastRequestsMs = requestTimeoutMs;

/**
 * Drains connections on shutdown, so that no client gets an error: for `drainSeconds` the server keeps
 * accepting and answering requests, with `Connection: close` on each reply. Only then does it stop listening
 * and close idle connections, when no request can be on its way over one of them.
 *
 * Nobody can delay the stop for longer than a minute. A connection over which nothing ever came, as browsers open them in advance,
 * is closed after a second. A request, or a reply such as a download, that has not ended after {@link lastRequestsMs} is cut off.
 */
export function drainConnections(app: FastifyInstance, drainSeconds: number): void {
  let isDraining = false;
  const open = new Set<Socket>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    isDraining = true;
    if (!app.server.listening) return;
    await wait(drainSeconds * 1000);
    // If the event loop was blocked, this lets it read the requests that have arrived meanwhile.
    await setImmediate();
    // A stream's reply carries no `Connection: close`. Without this, its idle connection would delay the stop by the keep-alive timeout.
    app.server.keepAliveTimeout = 1;
    // Node counts a connection without a single request as active, and gives up its time limits as soon as it stops listening.
    const ends = [
      setTimeout(async () => {
        // Likewise after a stall: its first bytes may have arrived.
        await setImmediate();
        for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
      }, silentConnectionMs),
      setTimeout(() => app.server.closeAllConnections(), lastRequestsMs),
    ];
    app.server.once('close', () => ends.forEach(clearTimeout));
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining) reply.header('connection', 'close');
    done(null, payload);
  });
}
