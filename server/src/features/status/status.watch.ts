import type { Database } from '#db/database.ts';
import { isDatabaseAway } from '#db/pool.ts';
import { delayClass } from './status.rules.ts';
import type { StatusSampler } from './status.sampler.ts';
import { addCalls, type CallCount } from './status-signals.sql.ts';

const flushIntervalMs = 10_000;
/** A process that has just started leaves sampling to the workers that start with it. */
const sampleAfterMs = 180_000;

/**
 * Observes the service from one web process: counts its calls in memory and adds them to the installation's
 * counts every ten seconds. It also records database outages, and takes samples if no worker does.
 */
export class StatusWatch {
  readonly #database: Database;
  readonly #sampler: StatusSampler;
  readonly #counts = new Map<number, CallCount>();
  #startedAt: number | undefined;
  #awaySince: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;

  constructor(database: Database, sampler: StatusSampler) {
    this.#database = database;
    this.#sampler = sampler;
  }

  /** Counts an answered call; `isFailed`: the service was at fault. */
  countCall(elapsedMs: number, isFailed: boolean): void {
    const at = delayClass(elapsedMs);
    const count = this.#counts.get(at) ?? { delayClass: at, answered: 0, failed: 0 };
    if (isFailed) count.failed++;
    else count.answered++;
    this.#counts.set(at, count);
  }

  start(): void {
    this.#startedAt = performance.now();
    void this.flush();
    this.#timer = setInterval(() => void this.flush(), flushIntervalMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#startedAt = undefined;
    await this.flush();
  }

  /** Writes the counts; never rejects. During a database outage it keeps them for the next time. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    const counts = [...this.#counts.values()];
    this.#counts.clear();
    const options = { relaxed: true, oneStatement: true };
    try {
      await this.#database.asSystem((tx) => addCalls(tx, counts), options);
    } catch (error) {
      this.#restore(counts);
      if (isDatabaseAway(error)) this.#awaySince ??= performance.now();
      return;
    }
    await this.#catchUp().catch(() => {});
  }

  /** Records a database outage that has just ended, and takes an overdue sample. */
  async #catchUp(): Promise<void> {
    const now = performance.now();
    if (this.#awaySince !== undefined) {
      await this.#sampler.recordOutage((now - this.#awaySince) / 1000);
      this.#awaySince = undefined;
    }
    if (this.#startedAt !== undefined && now - this.#startedAt > sampleAfterMs)
      await this.#sampler.sampleIfOverdue();
  }

  #restore(counts: readonly CallCount[]): void {
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
