import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { ownerUrl, readAccess, writeAccess } from './access.ts';
import { packagedFolder, usableBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { findCluster } from './cluster-location.ts';
import { endLeftovers } from './leftovers.ts';
import { lockDirectory, lockHolder } from './lock.ts';
import { Supervisor } from './supervisor.ts';

export { DataDirInUseError } from './lock.ts';

/** A PostgreSQL of our own that runs. */
export interface EmbeddedPostgres {
  /** The owner of database `hengfu` (no superuser): TCP on 127.0.0.1, scram password. */
  ownerUrl: string;
  /** Shuts it down (fast mode: transactions under way are rolled back); may be called twice. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Directory of the cluster; made where it is missing. */
  dataDir: string;
  /** Default true; false turns fsync off, for tests. */
  durable?: boolean;
  log: (line: string) => void;
  /** Settings of PostgreSQL that replace ours. */
  settings?: Record<string, string>;
}

const answerPollMs = 50;
const answerWaitMs = 15_000;

/**
 * Starts the embedded PostgreSQL, making its cluster the first time, and keeps it running: one that dies is started
 * again on the same port. Throws {@link DataDirInUseError} where another product holds the directory.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, durable = true, settings = {}, log } = options;
  mkdirSync(dataDir, { recursive: true });
  const unlock = lockDirectory(dataDir);
  try {
    const place = findCluster(dataDir, log);
    await endLeftovers(place.cluster, log);
    const bin = usableBinaries(packagedFolder(), place.home, place.account);
    const access = await ensureCluster({ place, bin, dataDir, durable });
    const supervisor = new Supervisor({ place, bin, durable, settings, log });
    const port = await supervisor.start(access.port);
    writeAccess(dataDir, { ...access, port });
    return {
      ownerUrl: ownerUrl({ ...access, port }),
      stop: () => supervisor.stop().finally(unlock),
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * The owner's URL of a cluster that a running product holds, once it takes connections; undefined where none runs, or
 * where it does not answer within 15 s.
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
