import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A call that a page would make first. */
export interface FirstCall {
  url: string;
  headers: Record<string, string>;
}

/**
 * Makes a page's first call to this process without a connection, as its visitor: it counts as theirs. Returns the reply, or undefined if
 * the call was refused or could not be made: while a process shuts down, Fastify makes none. The page then makes the call itself, and
 * says what is wrong.
 */
export async function replyToFirstCall(
  app: FastifyInstance,
  { ip }: FastifyRequest,
  call: FirstCall,
): Promise<unknown> {
  const reply = await app.inject({ ...call, remoteAddress: ip }).catch(() => undefined);
  return reply?.statusCode === 200 ? reply.json<unknown>() : undefined;
}
