import type { FastifyReply } from 'fastify';

/** Replies that are never sent: the caller waits, and then loses the connection. */
export type HeldReplies = {
  /** Takes the reply over from its route; the connection is dropped after the hold. */
  hold(reply: FastifyReply): FastifyReply;
  /** Drops all of them now, so that shutdown need not wait. */
  dropAll(): void;
};

/** Creates a holder that drops each connection after `holdMs`. */
export function createHeldReplies(holdMs: number): HeldReplies {
  const drops = new Set<() => void>();

  return {
    hold(reply) {
      const { socket } = reply.raw;
      const drop = () => {
        clearTimeout(timer);
        drops.delete(drop);
        socket?.destroy();
      };
      const timer = setTimeout(drop, holdMs);
      socket?.once('close', drop);
      drops.add(drop);
      return reply.hijack();
    },
    dropAll() {
      for (const drop of drops) drop();
    },
  };
}
