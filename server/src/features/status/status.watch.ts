import type { Database } from '#db/database.ts';
import { isDatabaseAway } from '#db/pool.ts';
import { delayClass } from './status.rules.ts';
import type { StatusSampler } from './status.sampler.ts';
import { addCalls, type CallCount } from './status-signals.sql.ts';

const beatMs = 10_000;
/** A process that has just come up leaves the samples to the workers that come up with it. */
const sampleAfterMs = 180_000;

/**
 * What one web process sees: counts its calls in memory and adds them to the installation's every ten seconds. It
 * remembers a database that was away, and takes the samples where no worker does.
 */
export class StatusWatch {
  readonly #database: Database;
  readonly #sampler: StatusSampler;
  readonly #counts = new Map<number, CallCount>();
  #startedAt: number | undefined;
  #awaySince: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;

  constructor(database: Database, sampler: StatusSampler) {
    this.#database = database;
    this.#sampler = sampler;
  }

  /** Counts a call that was answered; `isFailed`: by a fault of the service's. */
  note(elapsedMs: number, isFailed: boolean): void {
    const at = delayClass(elapsedMs);
    const count = this.#counts.get(at) ?? { delayClass: at, answered: 0, failed: 0 };
    if (isFailed) count.failed++;
    else count.answered++;
    this.#counts.set(at, count);
  }

  start(): void {
    this.#startedAt = performance.now();
    void this.beat();
    this.#timer = setInterval(() => void this.beat(), beatMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#startedAt = undefined;
    await this.beat();
  }

  /** Writes what was counted; never rejects. With the database away it is kept for the next time. */
  beat(): Promise<void> {
    this.#beating ??= this.#beat().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  async #beat(): Promise<void> {
    const counts = [...this.#counts.values()];
    this.#counts.clear();
    const options = { relaxed: true, oneStatement: true };
    try {
      await this.#database.asSystem((tx) => addCalls(tx, counts), options);
    } catch (error) {
      this.#keep(counts);
      if (isDatabaseAway(error)) this.#awaySince ??= performance.now();
      return;
    }
    await this.#lookBack().catch(() => {});
  }

  /** What only somebody can write who was there. */
  async #lookBack(): Promise<void> {
    const now = performance.now();
    if (this.#awaySince !== undefined) {
      await this.#sampler.noteOutage((now - this.#awaySince) / 1000);
      this.#awaySince = undefined;
    }
    if (this.#startedAt !== undefined && now - this.#startedAt > sampleAfterMs)
      await this.#sampler.sampleIfOverdue();
  }

  #keep(counts: readonly CallCount[]): void {
    for (const { delayClass: at, answered, failed } of counts) {
      const count = this.#counts.get(at) ?? { delayClass: at, answered: 0, failed: 0 };
      this.#counts.set(at, {
        delayClass: at,
        answered: count.answered + answered,
        failed: count.failed + failed,
      });
    }
  }
}
