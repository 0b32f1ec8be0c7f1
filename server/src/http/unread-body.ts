import type { FastifyReply, FastifyRequest } from 'fastify';

/** A body that is no longer than this has mostly arrived with its head, and the connection can go on being used. */
const drainedBytes = 16 * 1024;
const lingerMs = 1000;

/**
 * Has a call be answered without its body. Node reads and drops what remains of a body once the answer is sent, however
 * much it is: of a long one, or one of no stated length, no more is read, and the connection ends after a second. Ending it
 * at once could make the client lose the answer, since a socket with unread data is reset.
 */
export function leaveBodyUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  const length = Number(raw.headers['content-length'] ?? 0);
  if (raw.headers['transfer-encoding'] === undefined && length <= drainedBytes) return;
  reply.raw.once('finish', () => {
    // Node begins to drop the body behind this event.
    setImmediate(() => {
      if (raw.complete) return;
      raw.socket.pause();
      setTimeout(() => raw.socket.destroy(), lingerMs).unref();
    });
  });
}
