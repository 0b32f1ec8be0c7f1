import { setTimeout } from 'node:timers/promises';
import type { JobHelpers, TaskList } from 'graphile-worker';
import type { Logger } from 'pino';
import type { Metrics } from '#observability/metrics.ts';
import { tracedJob } from '#observability/tracing/jobs.ts';
import { forgetFailedRuns, noteFailedRun } from './failing-tasks.ts';
import type { Recurring, Task } from './jobs.ts';
import { QueueRun } from './queue-run.ts';

/** Options of a {@link Worker}. */
export interface WorkerOptions {
  /** The queue's tables belong to the owner. */
  ownerUrl: string;
  tasks: Record<string, Task>;
  recurring: readonly Recurring[];
  concurrency: number;
  log: Logger;
  metrics: Metrics;
}

const restartMs = 1000;
/** Recurring work that has failed runs again after this time, if its interval is longer. */
const retrySeconds = 300;
const addAgain = `
  select graphile_worker.add_job($1, '{}'::json, run_at => now() + $2 * interval '1 second', job_key => $1, queue_name => $1)`;

/**
 * Runs jobs until stopped. Recurring work is a job that adds itself again, one at a time in the whole
 * installation. A cron entry adds it each minute, should it ever be lost. The worker waits while the database
 * is away.
 */
export class Worker {
  readonly #options: WorkerOptions;
  #run: QueueRun | undefined;
  #stopped = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** Resolves once it runs jobs, or if it was stopped before. */
  async start(): Promise<void> {
    const started = Promise.withResolvers<void>();
    void this.#runUntilStopped(started.resolve).then(started.resolve);
    await started.promise;
  }

  /** Lets running jobs finish and stops. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#run?.stop();
  }

  /** Starts one run after the other, each once the previous one has ended or was given up. */
  async #runUntilStopped(onStarted: () => void): Promise<void> {
    const { ownerUrl, concurrency, log } = this.#options;
    const tasks = this.#taskList();
    const recurring = this.#options.recurring.map(({ task }) => task);
    while (!this.#stopped) {
      this.#run = new QueueRun({ ownerUrl, tasks, recurring, concurrency, log });
      await this.#run.untilEnd(onStarted);
      if (!this.#stopped) await setTimeout(restartMs);
    }
  }

  #taskList(): TaskList {
    const everySeconds = new Map(
      this.#options.recurring.map(({ task, everySeconds }) => [task, everySeconds]),
    );
    return Object.fromEntries(
      Object.entries(this.#options.tasks).map(([name, task]) => {
        const seconds = everySeconds.get(name);
        const run = (payload: unknown) => this.#measured(name, payload, task);
        return [
          name,
          seconds === undefined
            ? run
            : (payload, helpers) => this.#runAgain({ name, seconds }, payload, run, helpers),
        ];
      }),
    );
  }

  /** Runs a recurring task, records the outcome, and adds its next job. */
  async #runAgain(
    { name, seconds }: { name: string; seconds: number },
    payload: unknown,
    run: (payload: unknown) => Promise<void>,
    { query }: Pick<JobHelpers, 'query'>,
  ): Promise<void> {
    let waitSeconds = Math.min(seconds, retrySeconds);
    try {
      await run(payload);
      waitSeconds = seconds;
      await forgetFailedRuns(query, name);
    } catch (error) {
      await noteFailedRun(query, name, error).catch((cause: unknown) =>
        this.#options.log.warn({ err: cause, task: name }, 'jobs: failure not recorded'),
      );
      throw error;
    } finally {
      // By the database's clock: with a wrong clock, a worker would run it nonstop, or never.
      if (!this.#stopped) await query(addAgain, [name, waitSeconds]);
    }
  }

  async #measured(name: string, payload: unknown, task: Task): Promise<void> {
    const stop = this.#options.metrics.jobs.startTimer({ task: name });
    try {
      await tracedJob(name, payload, () => task(payload));
      stop({ outcome: 'done' });
    } catch (error) {
      stop({ outcome: 'failed' });
      throw error;
    }
  }
}
