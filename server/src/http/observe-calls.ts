import { errorStatus } from '@hengfu/contract/errors';
import { eventsPath } from '@hengfu/contract/events';
import type { FastifyInstance } from 'fastify';
import { afterReply } from '#observability/after-reply.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** When the whole request had arrived, body included; 0 if it was rejected earlier. */
    readAt: number;
    /** Milliseconds from there until the reply was ready to send: the server's share of a call's time. */
    servedMs: number;
  }
}

const firstClientError = 400;
const firstServerError = 500;

/** Measures how long the server takes for each request, without the client's time to send and read. */
export function timeCalls(app: FastifyInstance): void {
  app.decorateRequest('readAt', 0);
  app.decorateRequest('servedMs', 0);
  app.addHook('preValidation', async (request) => {
    request.readAt = performance.now();
  });
  app.addHook('onSend', async (request) => {
    request.servedMs = request.readAt > 0 ? performance.now() - request.readAt : 0;
  });
}

/**
 * Records the calls of both APIs (console, Open API) that reflect on the service: successes and server
 * errors. Skips rejected calls, which are the caller's doing, event streams, and banks that don't answer,
 * which show in their channel's figures.
 */
export function observeCalls(
  app: FastifyInstance,
  note: (elapsedMs: number, isFailed: boolean) => void,
): void {
  // Callers who give up are counted, too: in an outage that is slow, they may be all there are.
  afterReply(app, (request, reply) => {
    const route = request.routeOptions.url ?? '';
    const isCall = route.startsWith('/api/') || route.startsWith('/openapi/');
    if (isCall && route !== eventsPath && reflectsOnService(reply.statusCode))
      note(request.servedMs, reply.statusCode >= firstServerError);
  });
}

function reflectsOnService(statusCode: number): boolean {
  const isRejected = statusCode >= firstClientError && statusCode < firstServerError;
  return !isRejected && statusCode !== errorStatus.channel_unavailable;
}
