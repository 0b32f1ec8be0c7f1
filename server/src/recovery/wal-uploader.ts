import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { watchFolder } from './folder-watch.ts';
import type { Handover } from './handover.ts';
import type { RecoveryArchive } from './recovery-archive.ts';
import { isArchived } from './wal.rules.ts';

const pollMs = 2000;
const firstRetryMs = 500;
const longestRetryMs = 30_000;

/** Parameters of a {@link WalUploader}. */
export interface UploaderOptions {
  archive: RecoveryArchive;
  handover: Handover;
  /** PGDATA of the running cluster. */
  cluster: string;
  log: (line: string) => void;
}

/**
 * Stores each segment that PostgreSQL has finished, and the histories of timelines, in their order. A segment that cannot be
 * stored is tried until it can, and stays in pg_wal until then.
 */
export class WalUploader {
  readonly #options: UploaderOptions;
  readonly #stopping = new AbortController();
  #unwatch: () => void = () => {};
  #wake: () => void = () => {};
  #waiting = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(options: UploaderOptions) {
    this.#options = options;
  }

  /** The number of segments that PostgreSQL has finished and that are not stored yet. */
  get waiting(): number {
    return this.#waiting;
  }

  start(): void {
    this.#unwatch = watchFolder(this.#statusFolder, () => this.#wake());
    this.#running = this.#run();
  }

  /** Stops after the segment in progress. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unwatch();
    this.#wake();
    await this.#running;
  }

  get #statusFolder(): string {
    return join(this.#options.cluster, 'pg_wal/archive_status');
  }

  async #run(): Promise<void> {
    const { log } = this.#options;
    let retryMs = firstRetryMs;
    while (!this.#stopping.signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      try {
        await this.#storeAll();
        retryMs = firstRetryMs;
        await Promise.race([woken, this.#pause(pollMs)]);
      } catch (error) {
        this.#tellPostgres();
        log(`a WAL segment was not archived, retrying: ${error instanceof Error ? error.message : error}`);
        await this.#pause(retryMs);
        retryMs = Math.min(2 * retryMs, longestRetryMs);
      }
    }
  }

  /** Without the mark, PostgreSQL's command waits until its time is up. On a full disk there may be no room even for that. */
  #tellPostgres(): void {
    const { handover, log } = this.#options;
    try {
      handover.markFailing();
    } catch (error) {
      log(`PostgreSQL does not know that archiving fails: ${error instanceof Error ? error.message : error}`);
    }
  }

  async #storeAll(): Promise<void> {
    const { archive, handover, cluster } = this.#options;
    const ready = (await readdir(this.#statusFolder))
      .flatMap((name) => (name.endsWith('.ready') ? name.slice(0, -'.ready'.length) : []))
      .filter(isArchived);
    handover.keepOnly(new Set(ready));
    const unstored = ready.filter((name) => !handover.has(name)).sort(historiesFirst);
    this.#waiting = unstored.length;
    for (const name of unstored) {
      if (this.#stopping.signal.aborted) return;
      await archive.putWal(name, await readFile(join(cluster, 'pg_wal', name)));
      handover.mark(name);
      this.#waiting--;
    }
  }

  #pause(ms: number): Promise<void> {
    return pause(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}

/** As PostgreSQL does: a timeline without its history could not be followed. */
function historiesFirst(a: string, b: string): number {
  const byKind = Number(b.endsWith('.history')) - Number(a.endsWith('.history'));
  return byKind || (a < b ? -1 : 1);
}
