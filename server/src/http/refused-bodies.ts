import type { IncomingMessage } from 'node:http';
import { type EndpointShape, requestLimits } from '@hengfu/contract/endpoint';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/refusal.ts';
import type { Guards } from './guards.ts';

const firstRefusal = 400;
/** What is read of a body after its refusal, so that its sender gets to read the reply. */
const mostDrainedBytes = 16 * 1024 * 1024;
const mostDrainMs = 5000;

/**
 * Has an app receive the rest of a body that it refuses, within bounds and without keeping any of it, before it replies. A
 * connection that is closed while its client still sends is reset, and the client never sees the reply.
 */
export function drainRefused(app: FastifyInstance): void {
  app.addHook('onSend', async ({ raw }, reply) => {
    if (reply.statusCode < firstRefusal || raw.complete) return;
    await drained(raw);
    if (!raw.complete) reply.header('connection', 'close');
  });
}

function drained(raw: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let leftBytes = mostDrainedBytes;
    const timer = setTimeout(resolve, mostDrainMs);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    raw.on('data', (chunk: Buffer) => {
      leftBytes -= chunk.length;
      if (leftBytes < 0) end();
    });
    for (const event of ['end', 'error', 'close']) raw.once(event, end);
    raw.resume();
  });
}

/**
 * Judges who sends a large body before it is read: a stranger's is not kept in memory, nor too many of one merchant (429).
 * One that says it is too large is refused before (413); one that does not say its size, after.
 */
export function admitSender(endpoint: EndpointShape, limitBytes: number, guards: Guards) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const bytes = Number(request.headers['content-length'] ?? Number.NaN);
    if (bytes > limitBytes) throw new Refusal('payload_too_large');
    // A signature can only be checked with the body.
    if (bytes <= requestLimits.bodyBytes || endpoint.access === 'signed') return;
    const caller = await guards.admit(endpoint, request);
    guards.largeBodies.enter(caller ? String(caller.home.merchantId) : 'nobody', reply);
  };
}
