import type { IncomingMessage } from 'node:http';
import { type EndpointShape, requestLimits } from '@hengfu/contract/endpoint';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/refusal.ts';
import { type Door, ownerOf } from './door.ts';
import { lingerAfterReply } from './unread-body.ts';

const firstClientError = 400;
/** Bytes read of a rejected body, so that its sender gets to read the reply. */
const maxDrainedBytes = 16 * 1024 * 1024;
const maxDrainMs = 5000;

/**
 * Makes an app receive and discard the rest of a rejected body, within limits, before it replies. Closing a
 * connection while its client is still sending resets it, and the client never sees the reply.
 */
export function drainRefused(app: FastifyInstance): void {
  app.addHook('onSend', async ({ raw }, reply) => {
    // A call that this process has made to itself has no connection, and `complete` is undefined.
    if (reply.statusCode < firstClientError || raw.complete !== false) return;
    await drain(raw);
    if (raw.complete) return;
    reply.header('connection', 'close');
    lingerAfterReply(raw);
  });
}

function drain(raw: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let leftBytes = maxDrainedBytes;
    const timer = setTimeout(resolve, maxDrainMs);
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
 * Checks the sender of a large body before reading it: anonymous bodies are never kept in memory, nor too
 * many of one merchant (429). A stated size over the limit is rejected first (413); a body of unknown size is
 * measured as it is read.
 */
export function admitSender(endpoint: EndpointShape, limitBytes: number, door: Door) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const bytes = Number(request.headers['content-length'] ?? Number.NaN);
    if (bytes > limitBytes) throw new Refusal('payload_too_large');
    // A signature can only be verified once the body has been read.
    if (bytes <= requestLimits.bodyBytes || endpoint.access === 'signed') return;
    door.largeBodies.admit(ownerOf(await door.admit(endpoint, request)), reply);
  };
}
