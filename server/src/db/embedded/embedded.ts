import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { ownerUrl, readAccess, superuserUrl, writeAccess } from './access.ts';
import { packagedFolder, usableBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { type ClusterLocation, findCluster } from './cluster-location.ts';
import { endLeftovers } from './leftovers.ts';
import { lockDirectory, lockHolder } from './lock.ts';
import { Supervisor } from './supervisor.ts';

export { DataDirInUseError } from './lock.ts';

/** A running embedded PostgreSQL. */
export interface EmbeddedPostgres {
  /** URL of the owner of database `hengfu`, who is no superuser: TCP on 127.0.0.1, SCRAM password. */
  ownerUrl: string;
  superuserUrl: string;
  location: ClusterLocation;
  /** Shuts it down in fast mode, which rolls back open transactions. May be called twice. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Directory of the cluster; created if missing. */
  dataDir: string;
  /** Default true; false turns fsync off, for tests. */
  durable?: boolean;
  log: (line: string) => void;
  /** PostgreSQL settings that override ours. */
  settings?: Record<string, string>;
  /** Returns more settings, which depend on where the cluster is. */
  settingsAt?: (location: ClusterLocation) => Promise<Record<string, string>>;
}

const answerPollMs = 50;
const answerWaitMs = 15_000;

/**
 * Starts the embedded PostgreSQL, creating its cluster the first time, and restarts it on the same port if it
 * dies. Throws {@link DataDirInUseError} if another product holds the directory.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, durable = true, log } = options;
  mkdirSync(dataDir, { recursive: true });
  const unlock = lockDirectory(dataDir);
  try {
    const location = findCluster(dataDir, log);
    await endLeftovers(location.cluster, log);
    const bin = usableBinaries(packagedFolder(), location.home, location.account);
    const access = await ensureCluster({ location, bin, dataDir, durable });
    const settings = { ...options.settings, ...(await options.settingsAt?.(location)) };
    const supervisor = new Supervisor({ location, bin, durable, settings, log });
    const port = await supervisor.start(access.port);
    const current = { ...access, port };
    writeAccess(dataDir, current);
    return {
      ownerUrl: ownerUrl(current),
      superuserUrl: superuserUrl(current),
      location,
      stop: () => supervisor.stop().finally(unlock),
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Returns the owner's URL of a cluster that a running product holds, once it accepts connections; undefined
 * if none runs, or if it does not respond within 15 s.
 */
export async function findRunningEmbedded(dataDir: string): Promise<string | undefined> {
  for (const end = Date.now() + answerWaitMs; Date.now() < end; await pause(answerPollMs)) {
    if (lockHolder(dataDir) === undefined) return undefined;
    const access = readAccess(dataDir);
    if (access && (await answers(ownerUrl(access)))) return ownerUrl(access);
  }
  return undefined;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
