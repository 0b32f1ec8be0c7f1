import { setTimeout } from 'node:timers/promises';
import type { TaskList } from 'graphile-worker';
import type { Logger } from 'pino';
import type { Metrics } from '#observability/metrics.ts';
import { tracedJob } from '#observability/tracing/jobs.ts';
import type { Recurring, Task } from './jobs.ts';
import { QueueRun } from './queue-run.ts';

/** What a worker is made of. */
export interface WorkerOptions {
  /** The queue's tables are the owner's. */
  ownerUrl: string;
  tasks: Record<string, Task>;
  recurring: readonly Recurring[];
  concurrency: number;
  log: Logger;
  metrics: Metrics;
}

const restartMs = 1000;
const again = `
  select graphile_worker.add_job($1, '{}'::json, run_at => now() + $2 * interval '1 second', job_key => $1, queue_name => $1)`;

/**
 * Runs jobs until stopped. Recurring work is a job that puts itself back, one at a time in the whole installation; a
 * line of cron a minute brings it back should it ever be lost. While the database is away the worker waits for it.
 */
export class Worker {
  readonly #options: WorkerOptions;
  #run: QueueRun | undefined;
  #stopped = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** Resolves once it does jobs, or was stopped before it could. */
  async start(): Promise<void> {
    const begun = Promise.withResolvers<void>();
    void this.#runAgainAndAgain(begun.resolve).then(begun.resolve);
    await begun.promise;
  }

  /** Lets running jobs finish and stops. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#run?.stop();
  }

  /** Runs follow each other: the next begins when nothing more is to be expected of the one before. */
  async #runAgainAndAgain(onBegun: () => void): Promise<void> {
    const { ownerUrl, concurrency, log } = this.#options;
    const tasks = this.#taskList();
    const recurring = this.#options.recurring.map(({ task }) => task);
    while (!this.#stopped) {
      this.#run = new QueueRun({ ownerUrl, tasks, recurring, concurrency, log });
      await this.#run.whole(onBegun);
      if (!this.#stopped) await setTimeout(restartMs);
    }
  }

  #taskList(): TaskList {
    const everySeconds = new Map(
      this.#options.recurring.map(({ task, everySeconds }) => [task, everySeconds]),
    );
    return Object.fromEntries(
      Object.entries(this.#options.tasks).map(([name, task]) => [
        name,
        async (payload, helpers) => {
          const stop = this.#options.metrics.jobs.startTimer({ task: name });
          try {
            await tracedJob(name, payload, () => task(payload));
            stop({ outcome: 'done' });
          } catch (error) {
            stop({ outcome: 'failed' });
            throw error;
          } finally {
            const seconds = everySeconds.get(name);
            if (seconds !== undefined && !this.#stopped) {
              // By the database's clock: with a wrong one of its own a worker would run it without a pause, or never.
              await helpers.query(again, [name, seconds]);
            }
          }
        },
      ]),
    );
  }
}
