import type { FastifyInstance } from 'fastify';
import type { Database } from '#db/database.ts';

/** /healthz: the process answers. /readyz: and so does its database. */
export function healthRoutes(app: FastifyInstance, database: Database): void {
  app.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok' }));
  app.get('/readyz', { logLevel: 'silent' }, async () => {
    await database.ping();
    return { status: 'ready' };
  });
}
