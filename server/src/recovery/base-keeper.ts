import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { asOwner } from '#db/owner.ts';
import { type BaseOptions, baseLabel, makeBase } from './base-backup.ts';
import type { BaseManifest } from './recovery-archive.ts';
import { outdated, segmentsBetween, timelineOf } from './wal.rules.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const retryMs = 60_000;
const markingMs = 1000;

/** Parameters of a {@link BaseKeeper}. */
export interface KeeperOptions extends Omit<BaseOptions, 'isUrgent' | 'signal'> {
  keepDays: number;
  warn: (line: string) => void;
}

/**
 * Makes a base backup once a day, and at once if nothing could be restored otherwise: if there is none on this timeline, or WAL is
 * missing because the cluster ran without archiving. Afterwards removes what is older than the window.
 */
export class BaseKeeper {
  readonly #options: KeeperOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #newestBaseAt: Date | undefined;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  get newestBaseAt(): Date | undefined {
    return this.#newestBaseAt;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Starts no more work, and ends the base backup in progress. */
  abandon(): void {
    this.#stopping.abort();
  }

  /** Resolves once nothing is in progress. */
  stopped(): Promise<void> {
    return this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const waitMs = await this.#keep().catch((error: unknown) => {
        if (!signal.aborted)
          this.#options.warn(
            `a base backup failed, retrying: ${error instanceof Error ? error.message : error}`,
          );
        return retryMs;
      });
      await pause(waitMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Makes a base backup if one is due. Returns the time until the next look. */
  async #keep(): Promise<number> {
    const { archive, keepDays } = this.#options;
    const bases = await archive.readBases(({ message }) => this.#options.warn(`left out: ${message}`));
    const newest = bases.at(-1);
    this.#newestBaseAt = newest?.stoppedAt;
    const isUrgent = await this.#isUrgent(bases);
    if (isUrgent || !newest || Date.now() - newest.stoppedAt.getTime() > dayMs) {
      const made = await makeBase({ ...this.#options, isUrgent, signal: this.#stopping.signal });
      this.#newestBaseAt = made.stoppedAt;
      bases.push(made);
    }
    const { wal, unfinished } = await archive.list();
    const old = outdated(bases, wal, new Date(Date.now() - keepDays * dayMs));
    // A younger one may be in progress: an operator's command makes base backups, too.
    const abandoned = unfinished.filter((label) => label < baseLabel(new Date(Date.now() - dayMs)));
    for (const label of [...old.bases.map((base) => base.label), ...abandoned])
      await archive.removeBase(label);
    for (const name of old.wal) await archive.removeWal(name);
    return hourMs;
  }

  /** Whether the archive does not lead to the present: no base backup on this timeline, or a gap since. */
  async #isUrgent(bases: readonly BaseManifest[]): Promise<boolean> {
    const { archive, superuserUrl, cluster } = this.#options;
    const current = await asOwner(superuserUrl, async (client) => {
      const { rows } = await client.query<{ segment: string }>(
        'select pg_walfile_name(pg_current_wal_lsn()) as segment',
      );
      return rows[0]?.segment ?? '';
    });
    const timeline = timelineOf(current);
    const newest = bases.filter((each) => each.timeline === timeline).at(-1);
    if (!newest) return true;
    const finished = segmentsBetween(newest.firstSegment, current).slice(0, -1);
    const findMissing = async (names: readonly string[]) => {
      // Read first: a segment that is stored meanwhile leaves the folder.
      const ready = new Set(await readdir(join(cluster, 'pg_wal/archive_status')));
      const stored = new Set((await archive.list()).wal);
      return names.filter((name) => !ready.has(`${name}.ready`) && !stored.has(name));
    };
    const missing = await findMissing(finished);
    if (missing.length === 0) return false;
    // PostgreSQL may not have marked the newest one yet, although it writes the next one already.
    await pause(markingMs, undefined, { signal: this.#stopping.signal });
    return (await findMissing(missing)).length > 0;
  }
}
