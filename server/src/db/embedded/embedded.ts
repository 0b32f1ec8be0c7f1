import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Access, ensureCluster, ownerUrl, readAccess, writeAccess } from './cluster.ts';
import { lockDirectory } from './lock.ts';
import { findPlace, type Place } from './place.ts';
import {
  answers,
  endLeftover,
  freePort,
  leftoverPid,
  pause,
  spawnServer,
  waitUntilReady,
} from './server-process.ts';

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

const startTries = 5;
const firstRestartMs = 100;
const slowestRestartMs = 5000;

/**
 * Starts the embedded PostgreSQL, making its cluster the first time, and keeps it running: one that dies is started
 * again on the same port. Throws {@link DataDirInUseError} where another product holds the directory.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const place = findPlace(options.dataDir, options.log);
  const unlock = lockDirectory(options.dataDir);
  try {
    const access = await ensureCluster(place, options.dataDir);
    await endLeftover(place.cluster, options.log);
    const supervisor = new Supervisor(place, options, access);
    await supervisor.start();
    return {
      ownerUrl: supervisor.ownerUrl,
      stop: async () => {
        await supervisor.stop();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The owner's URL of a cluster that a running product holds; undefined where none runs. */
export async function findRunningEmbedded(dataDir: string): Promise<string | undefined> {
  const access = readAccess(dataDir);
  if (!access) return undefined;
  const { cluster } = findPlace(dataDir, () => {});
  const url = ownerUrl(access);
  return leftoverPid(cluster) !== undefined && (await answers(url)) ? url : undefined;
}

class Supervisor {
  readonly #place: Place;
  readonly #options: EmbeddedOptions;
  #access: Access;
  #child: ChildProcess | undefined;
  #stopped = false;

  constructor(place: Place, options: EmbeddedOptions, access: Access) {
    this.#place = place;
    this.#options = options;
    this.#access = access;
  }

  get ownerUrl(): string {
    return ownerUrl(this.#access);
  }

  /** The first start may choose another port; whoever connects later relies on it. */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      this.#access = { ...this.#access, port: await freePort(attempt === 1 ? this.#access.port : 0) };
      writeAccess(this.#options.dataDir, this.#access);
      try {
        return await this.#spawn();
      } catch (error) {
        if (attempt === startTries) throw error;
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  }

  async #spawn(): Promise<void> {
    const { durable = true, settings = {}, log } = this.#options;
    const child = spawnServer({ place: this.#place, port: this.#access.port, durable, settings, log });
    this.#child = child;
    await waitUntilReady(child, this.ownerUrl);
    child.once('exit', (code, signal) => {
      if (this.#stopped) return;
      log(`PostgreSQL has ended (${signal ?? code}): starting it again`);
      void this.#restart();
    });
  }

  async #restart(): Promise<void> {
    for (let waitMs = firstRestartMs; !this.#stopped; waitMs = Math.min(waitMs * 2, slowestRestartMs)) {
      await pause(waitMs);
      if (this.#stopped) return;
      try {
        return await this.#spawn();
      } catch (error) {
        this.#options.log(`PostgreSQL does not start yet: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
}
