import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#config.ts';
import { findRunningEmbedded, startEmbedded } from '#db/embedded/embedded.ts';
import type { ArchivingState } from '#recovery/archiving.ts';
import { appKeyMark } from '#security/app-key-mark.ts';
import { openRecoveryStore } from './recovery-store.ts';

/** The database of this installation, as its owner. */
export interface DatabaseLocation {
  ownerUrl: string;
  /** How far the archiving of WAL has come, if this process does it. */
  archiving?: () => ArchivingState;
  stop(): Promise<void>;
}

/** Returns the directory of the embedded database. */
export function embeddedDirectory({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'postgres');
}

/** Opens the configured PostgreSQL, or else starts the embedded one in the data directory. */
export async function openDatabase(config: Config, log: FastifyBaseLogger): Promise<DatabaseLocation> {
  if (config.databaseUrl) return { ownerUrl: config.databaseUrl, stop: async () => {} };
  const options = embeddedOptions(config, log);
  const { walArchive, appKey } = config;
  if (!walArchive) return startEmbedded(options);
  // Imported only here: without an archive its code is not loaded.
  const { startArchived } = await import('#recovery/archiving.ts');
  return startArchived({
    ...options,
    store: await openRecoveryStore(walArchive),
    keys: walArchive.keys,
    keepDays: walArchive.keepDays,
    appKeyMark: appKeyMark(appKey),
    warn: (line) => log.warn(line),
  });
}

/** Joins the database of a running product, or else opens one, by default as the product does, until `stop` is called. */
export async function joinDatabase(
  config: Config,
  log: FastifyBaseLogger,
  open = openDatabase,
): Promise<DatabaseLocation> {
  const running = config.databaseUrl ?? (await findRunningEmbedded(embeddedDirectory(config)));
  return running ? { ownerUrl: running, stop: async () => {} } : open(config, log);
}

/**
 * Joins the database for an operator's command. If the command has to start it, nothing is archived: finished segments wait for the
 * product. A command on a restored copy must not put the copy's timeline into the archive.
 */
export function joinForCommand(config: Config, log: FastifyBaseLogger): Promise<DatabaseLocation> {
  return joinDatabase(config, log, async () => {
    const options = embeddedOptions(config, log);
    if (!config.walArchive) return startEmbedded(options);
    const { heldArchive } = await import('#recovery/cluster-recovery.ts');
    return startEmbedded({ ...options, settings: heldArchive });
  });
}

function embeddedOptions(config: Config, log: FastifyBaseLogger) {
  return {
    dataDir: embeddedDirectory(config),
    log: (line: string) => log.info(`postgres: ${line}`),
  };
}
