import { eventsPath } from '@hengfu/contract/events';
import type { FastifyInstance } from 'fastify';

const firstFault = 500;

/** Tells of every call of the console's API and of the Open API once it is answered. A stream is no call. */
export function observeCalls(
  app: FastifyInstance,
  note: (elapsedMs: number, isFailed: boolean) => void,
): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? '';
    const isCall = route.startsWith('/api/') || route.startsWith('/openapi/');
    if (isCall && route !== eventsPath) note(reply.elapsedTime, reply.statusCode >= firstFault);
  });
}
