import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#config.ts';
import { startEmbedded } from '#db/embedded/embedded.ts';
import { ensureLogin } from '#db/login.ts';
import { migrate } from '#db/migrate.ts';
import { type Violation, violations } from '#ledger/ledger.ts';
import { heldArchive } from '#recovery/cluster-recovery.ts';
import { type RestoredCluster, type RestoreOptions, restoreCluster } from '#recovery/restore.ts';
import { appKeyMark } from '#security/app-key-mark.ts';
import { embeddedDirectory } from './database-location.ts';
import { closeWhileHeld } from './payout-hold.ts';
import { openRecoveryStore } from './recovery-store.ts';
import { openRuntime } from './runtime.ts';

/**
 * Restores the embedded database to a moment, migrates it, closes its channels for payouts and verifies its ledger. Throws without
 * an archive, and whatever {@link restoreCluster} throws.
 */
export async function restoreToTime(
  config: Config,
  wanted: Pick<RestoreOptions, 'target' | 'timeline' | 'system'>,
  log: FastifyBaseLogger,
): Promise<{ restored: RestoredCluster; found: Violation[] }> {
  const { walArchive, appKey, previousKey } = config;
  if (!walArchive)
    throw new Error(
      'WAL_ARCHIVE_URL and WAL_ARCHIVE_KEY are needed: the archive of the embedded database, and its key.',
    );
  const dataDir = embeddedDirectory(config);
  const logLine = (line: string) => log.info(`postgres: ${line}`);
  const restored = await restoreCluster({
    ...wanted,
    dataDir,
    store: await openRecoveryStore(walArchive),
    keys: walArchive.keys,
    appKeyMarks: [appKey, ...(previousKey ? [previousKey] : [])].map(appKeyMark),
    log: logLine,
  });
  const database = await startEmbedded({ dataDir, settings: heldArchive, log: logLine });
  try {
    await migrate(database.ownerUrl);
    await ensureLogin(database.ownerUrl, appKey);
    const runtime = await openRuntime(config, database.ownerUrl, undefined, log);
    try {
      await closeWhileHeld(dataDir, runtime.services);
      return { restored, found: await runtime.services.database.asSystem((tx) => violations(tx)) };
    } finally {
      await runtime.close();
    }
  } finally {
    await database.stop();
  }
}
