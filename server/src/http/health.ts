import type { FastifyInstance } from 'fastify';
import type { Database } from '#db/database.ts';
import { Refusal } from '#domain/refusal.ts';

/** Adds /healthz (the process responds) and /readyz (its database does too, and it is not shutting down). */
export function healthRoutes(app: FastifyInstance, database: Database): void {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok' }));
  app.get('/readyz', { logLevel: 'silent' }, async () => {
    if (isStopping) throw new Refusal('unavailable');
    await database.ping();
    return { status: 'ready' };
  });
}
