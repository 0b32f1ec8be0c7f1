import type { FastifyInstance } from 'fastify';
import type { CallLimits } from './call-limits.ts';
import { versionFields } from './versions.ts';

/** Adds what every reply to a signed call says besides its body: its version, and what is left of the caller's limit. */
export function describeCalls(scope: FastifyInstance, limits: CallLimits, publicUrl: () => string): void {
  scope.addHook('onSend', async (request, reply) => {
    limits.describe(request, reply);
    if (request.apiVersion) reply.headers(versionFields(request.apiVersion, publicUrl()));
  });
}
