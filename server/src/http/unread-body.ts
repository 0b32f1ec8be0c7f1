import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A body this short has mostly arrived with its headers, so its connection can be reused. */
const drainedBytes = 16 * 1024;
const lingerMs = 1000;

/**
 * Lets a call be answered without reading its body. Once the reply is sent, Node would read and discard the
 * rest of a body of any length. If the body is long, or of unknown length, this stops reading it and closes
 * the connection a second later. Closing it at once could lose the reply, since a socket with unread data is
 * reset.
 */
export function leaveBodyUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  const length = Number(raw.headers['content-length'] ?? 0);
  if (raw.headers['transfer-encoding'] === undefined && length <= drainedBytes) return;
  reply.raw.once('finish', () => {
    // Node starts discarding the body after this event.
    setImmediate(() => {
      if (raw.complete) return;
      raw.socket.pause();
      setTimeout(() => raw.socket.destroy(), lingerMs).unref();
    });
  });
}

/**
 * Closes the connection in two steps once its last reply is sent: first for writing, and for good a second later, without reading
 * any more. Node would close it at once, which resets it while its client still sends, and the client could lose the reply.
 */
export function lingerAfterReply({ socket }: IncomingMessage): void {
  socket.destroySoon = () => {
    socket.end();
    socket.pause();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}
