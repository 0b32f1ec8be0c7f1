import { errorStatus } from '@hengfu/contract/errors';
import { eventsPath } from '@hengfu/contract/events';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** When the whole request was there, body and all; 0 where it was refused before. */
    readAt: number;
    /** Milliseconds from there until the reply was ready to be sent: what of a call's time is the service's. */
    servedMs: number;
  }
}

const firstRefusal = 400;
const firstFault = 500;

/** Has an app measure how long each request takes it, however slowly its client sends and reads. */
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
 * Notes each call of the console's API and of the Open API that says something about the service: those it did, and those
 * it failed at. What it refuses is the caller's doing, whatever the number; a stream is no call; a bank that does not
 * answer shows in its channel's figures.
 */
export function observeCalls(
  app: FastifyInstance,
  note: (elapsedMs: number, isFailed: boolean) => void,
): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? '';
    const isCall = route.startsWith('/api/') || route.startsWith('/openapi/');
    if (isCall && route !== eventsPath && isTelling(reply.statusCode))
      note(request.servedMs, reply.statusCode >= firstFault);
  });
}

function isTelling(statusCode: number): boolean {
  const isRefused = statusCode >= firstRefusal && statusCode < firstFault;
  return !isRefused && statusCode !== errorStatus.channel_unavailable;
}
