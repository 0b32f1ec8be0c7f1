import type { FastifyBaseLogger } from 'fastify';
import { embeddedDirectory, joinDatabase } from '#composition/database-location.ts';
import { openRecoveryStore } from '#composition/recovery-store.ts';
import type { Config } from '#config.ts';
import { readAccess, superuserUrl } from '#db/embedded/access.ts';
import { findCluster } from '#db/embedded/cluster-location.ts';
import { readSystem } from '#recovery/archiving.ts';
import { makeBase } from '#recovery/base-backup.ts';
import { RecoveryArchive } from '#recovery/recovery-archive.ts';
import { appKeyMark } from '#security/app-key-mark.ts';
import type { Answer } from './print.ts';

/** Makes a base backup of the embedded database, which the running product archives, or this command while it lasts. */
export async function baseNow(config: Config, log: FastifyBaseLogger): Promise<Answer> {
  const { walArchive, appKey } = config;
  if (!walArchive) throw new Error('WAL_ARCHIVE_URL and WAL_ARCHIVE_KEY are not set.');
  const startedAt = performance.now();
  const { stop } = await joinDatabase(config, log);
  try {
    const directory = embeddedDirectory(config);
    const access = readAccess(directory);
    if (!access) throw new Error(`There is no database in ${directory}.`);
    const url = superuserUrl(access);
    const store = await openRecoveryStore(walArchive);
    const base = await makeBase({
      archive: new RecoveryArchive(await readSystem(url), { store, keys: walArchive.keys }),
      superuserUrl: url,
      cluster: findCluster(directory, (line) => log.info(line)).cluster,
      appKeyMark: appKeyMark(appKey),
      isUrgent: true,
    });
    const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
    return {
      done: `Base backup ${base.label}: ${base.files} files, complete as of ${base.stoppedAt.toISOString()}, in ${seconds} s.`,
      facts: { base: base.label, complete_at: base.stoppedAt, files: base.files, bytes: base.bytes, seconds },
    };
  } finally {
    await stop();
  }
}
