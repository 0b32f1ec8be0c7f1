import type { Logger } from 'pino';
import { readDatabaseState, replicationFaults } from '#db/replication.ts';
import { parseDatabaseUrl } from '#security/database-url.ts';

/**
 * Warns of settings and standbys with which acknowledged orders may be lost. Comes before anything is written: without a
 * synchronous standby, the first commit of the start waits for one.
 */
export async function warnOfReplicationFaults(ownerUrl: string, log: Pick<Logger, 'warn'>): Promise<void> {
  // A database that is away is reported by whatever needs it next.
  const state = await readDatabaseState(ownerUrl).catch(() => undefined);
  if (!state) return;
  const severalHosts = parseDatabaseUrl(ownerUrl).hosts.length > 1;
  for (const fault of replicationFaults(state, severalHosts)) log.warn({ host: state.host }, fault);
}
