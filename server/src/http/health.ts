import type { FastifyInstance } from 'fastify';
import type { Database } from '#db/database.ts';
import { Refusal } from '#domain/refusal.ts';

/** /healthz: the process answers. /readyz: and so does its database, and it is not about to stop. */
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
