import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#config.ts';
import { findRunningEmbedded, startEmbedded } from '#db/embedded/embedded.ts';

/** The database of this installation, as its owner. */
export interface DatabaseLocation {
  ownerUrl: string;
  stop(): Promise<void>;
}

/** Opens the configured PostgreSQL, or else starts the embedded one in the data directory. */
export async function openDatabase(config: Config, log: FastifyBaseLogger): Promise<DatabaseLocation> {
  if (config.databaseUrl) return { ownerUrl: config.databaseUrl, stop: async () => {} };
  return startEmbedded({
    dataDir: join(config.dataDir, 'postgres'),
    log: (line) => log.info(`postgres: ${line}`),
  });
}

/** Joins the database of a running product, or else opens one until `stop` is called. */
export async function joinDatabase(config: Config, log: FastifyBaseLogger): Promise<DatabaseLocation> {
  const running = config.databaseUrl ?? (await findRunningEmbedded(join(config.dataDir, 'postgres')));
  return running ? { ownerUrl: running, stop: async () => {} } : openDatabase(config, log);
}
