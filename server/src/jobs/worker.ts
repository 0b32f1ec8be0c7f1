import { EventEmitter } from 'node:events';
import {
  Logger,
  type LogLevel,
  parseCronItems,
  type Runner,
  type RunnerOptions,
  run,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type pg from 'pg';
import type { Logger as Log } from 'pino';
import { openPlainPool } from '#db/pool.ts';
import type { Metrics } from '#metrics.ts';
import type { Recurring, Task } from './jobs.ts';
import { keepAlive } from './liveness.ts';

/** What a worker is made of. */
export interface WorkerOptions {
  /** The queue's tables are the owner's. */
  ownerUrl: string;
  tasks: Record<string, Task>;
  recurring: readonly Recurring[];
  concurrency: number;
  log: Log;
  metrics: Metrics;
}

const restartMs = 1000;
/** Jobs are asked for and reported by as many connections, however many of them are under way; more hear of new ones. */
const mostAsking = 2;
const listening = 2;
/**
 * The queue ends a run that could not report a job, and can wait for ever for what the same trouble has left of it: by
 * then the next run begins without it.
 */
const endWaitMs = 3000;
/** What can't be reported to a database that is away ends the run in good order, to be begun again. */
const reported = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };
const again = `
  select graphile_worker.add_job($1, '{}'::json, run_at => now() + $2 * interval '1 second', job_key => $1, queue_name => $1)`;
/** Its own queue has one run of it wait for the other: a key alone does not while it runs. */
const onlyOne = (task: string) => ({ jobKey: task, queueName: task });

/** One run of the queue. */
interface Run {
  readonly pool: pg.Pool;
  runner: Runner | undefined;
  endLife: (() => void) | undefined;
}

/**
 * Runs jobs until stopped. Recurring work is a job that puts itself back, one at a time in the whole installation; a
 * line of cron a minute brings it back should it ever be lost. While the database is away the worker waits for it.
 */
export class Worker {
  readonly #options: WorkerOptions;
  #run: Run | undefined;
  #stopped = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    while (!this.#stopped) {
      const begun = this.#begin();
      this.#run = begun;
      try {
        const runner = await run(this.#settings(begun));
        begun.runner = runner;
        for (const { task } of this.#options.recurring) await runner.addJob(task, {}, onlyOne(task));
        void runner.promise
          .catch((error) => this.#options.log.warn({ err: error }, 'jobs: stopped'))
          .then(() => this.#again(begun));
        return;
      } catch (error) {
        this.#options.log.warn({ err: error }, 'jobs: cannot start, trying again');
        begun.runner?.stop().catch(() => {});
        // Where it was given up before it could begin, the next one is under way already.
        const isCurrent = this.#run === begun;
        this.#end(begun);
        if (!isCurrent) return;
        await new Promise((resolve) => setTimeout(resolve, restartMs));
      }
    }
  }

  /** Lets running jobs finish and stops. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const { runner, pool, endLife } = this.#run ?? {};
    await runner?.stop().catch(() => {});
    endLife?.();
    if (pool && !pool.ending) await pool.end();
  }

  /** A run with connections of its own: what it may leave behind is in no other's way. */
  #begin(): Run {
    const { ownerUrl, concurrency, log } = this.#options;
    const pool = openPlainPool(ownerUrl, {
      max: Math.min(concurrency, mostAsking) + listening,
      applicationName: 'hengfu jobs',
      onError: (error) => log.warn({ err: error }, 'jobs: connection lost'),
    });
    return { pool, runner: undefined, endLife: undefined };
  }

  #settings(begun: Run): RunnerOptions {
    return {
      pgPool: begun.pool,
      taskList: this.#taskList(),
      parsedCronItems: parseCronItems(
        this.#options.recurring.map(({ task }) => ({ task, match: '* * * * *', options: onlyOne(task) })),
      ),
      concurrency: this.#options.concurrency,
      events: this.#events(begun),
      preset: { worker: reported },
      noHandleSignals: true,
      // Each of the jobs at once looks by itself: together they look a few times a second, however many they are.
      pollInterval: Math.max(1000, this.#options.concurrency * 250),
      logger: new Logger(() => (level, message) => this.#log(level, message)),
    };
  }

  /** Hears of the pool that the queue knows this worker by, and of a run that ends itself. */
  #events(begun: Run): WorkerEvents {
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => {
      begun.endLife = keepAlive(begun.pool, workerPool.id, (error) =>
        this.#options.log.warn({ err: error }, 'jobs: cannot say that this worker lives'),
      );
    });
    events.on('pool:gracefulShutdown', () => {
      if (!this.#stopped) setTimeout(() => this.#again(begun), endWaitMs).unref();
    });
    return events;
  }

  /** Begins the next run where this one has ended, or can't. */
  #again(begun: Run): void {
    if (this.#stopped || this.#run !== begun) return;
    this.#end(begun);
    setTimeout(() => void this.start(), restartMs);
  }

  /** Its jobs are another's once it is not heard of any more. */
  #end(begun: Run): void {
    // Not the next one: a run that nobody knows of would never be begun anew.
    if (this.#run === begun) this.#run = undefined;
    begun.endLife?.();
    void begun.pool.end().catch(() => {});
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
            await task(payload);
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

  #log(level: LogLevel | string, message: string): void {
    if (level === 'error') this.#options.log.warn(`jobs: ${message}`);
    else if (level === 'warning') this.#options.log.info(`jobs: ${message}`);
    else this.#options.log.debug(`jobs: ${message}`);
  }
}
