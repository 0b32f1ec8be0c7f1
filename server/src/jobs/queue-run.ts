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
import { keepAlive } from './liveness.ts';

/** Options of a {@link QueueRun}. */
export interface QueueRunOptions {
  /** The queue's tables belong to the owner. */
  readonly ownerUrl: string;
  readonly tasks: TaskList;
  /** Names of the tasks that a cron entry adds each minute, should their jobs ever be lost. */
  readonly recurring: readonly string[];
  /** Jobs at the same time. */
  readonly concurrency: number;
  readonly log: Log;
}

/** Connections that fetch and report jobs, however many jobs run. The others listen for new ones. */
const maxFetchConnections = 2;
const listenConnections = 2;
/**
 * If the queue can't report a finished job, it ends the run, but the same failure may make the shutdown hang forever.
 * The next run starts after this time, whether the shutdown is complete or not.
 */
const endWaitMs = 3000;
/** Reports are not batched: with a delay, losing the database before a report would not end the run cleanly. */
const reportWithoutDelay = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };
/**
 * A named queue per task runs its jobs one at a time. A job key alone no longer does once a job has started. A job that waits keeps its
 * time, however often it is added.
 */
const recurringJob = (task: string) => ({
  jobKey: task,
  jobKeyMode: 'preserve_run_at' as const,
  queueName: task,
});

/**
 * One run of the queue, from its start until the database goes away. It has its own connections, so that
 * nothing it leaves behind blocks the next run.
 */
export class QueueRun {
  readonly #options: QueueRunOptions;
  readonly #pool: pg.Pool;
  readonly #givenUp = Promise.withResolvers<void>();
  #runner: Runner | undefined;
  #stopHeartbeat: (() => void) | undefined;
  #released: Promise<void> | undefined;
  #isStopping = false;

  constructor(options: QueueRunOptions) {
    this.#options = options;
    this.#pool = openPlainPool(options.ownerUrl, {
      max: Math.min(options.concurrency, maxFetchConnections) + listenConnections,
      applicationName: 'hengfu jobs',
      onError: (error) => options.log.warn({ err: error }, 'jobs: connection lost'),
    });
  }

  /**
   * Runs jobs until the run ends, cannot start, or is given up.
   * @param onStarted called once it runs jobs
   */
  async untilEnd(onStarted: () => void): Promise<void> {
    await Promise.race([this.#runJobs(onStarted), this.#givenUp.promise]);
    void this.#release();
  }

  /** Lets running jobs finish and ends. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#runner?.stop().catch(() => {});
    await this.#release();
  }

  async #runJobs(onStarted: () => void): Promise<void> {
    const { log, recurring } = this.#options;
    try {
      const runner = await run(this.#settings());
      this.#runner = runner;
      const ended = runner.promise.catch((error) => log.warn({ err: error }, 'jobs: stopped'));
      for (const task of recurring) await runner.addJob(task, {}, recurringJob(task));
      onStarted();
      await ended;
    } catch (error) {
      log.warn({ err: error }, 'jobs: cannot start, retrying');
      this.#runner?.stop().catch(() => {});
    }
  }

  /** Closes the connections and stops the heartbeat, after which other workers take over its jobs. */
  #release(): Promise<void> {
    this.#stopHeartbeat?.();
    this.#released ??= this.#pool.end().catch(() => {});
    return this.#released;
  }

  #settings(): RunnerOptions {
    const { tasks, recurring, concurrency } = this.#options;
    return {
      pgPool: this.#pool,
      taskList: tasks,
      parsedCronItems: parseCronItems(
        recurring.map((task) => ({ task, match: '* * * * *', options: recurringJob(task) })),
      ),
      concurrency,
      events: this.#events(),
      preset: { worker: reportWithoutDelay },
      noHandleSignals: true,
      // Each concurrent job polls on its own: together they poll a few times a second, however many they are.
      pollInterval: Math.max(1000, concurrency * 250),
      logger: new Logger(() => (level, message) => this.#log(level, message)),
    };
  }

  /** Starts the heartbeat under the queue's ID of this worker, and notices a run that ends itself. */
  #events(): WorkerEvents {
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => {
      if (this.#released) return;
      this.#stopHeartbeat = keepAlive(this.#pool, workerPool.id, (error) =>
        this.#options.log.warn({ err: error }, 'jobs: heartbeat failed'),
      );
    });
    events.on('pool:gracefulShutdown', () => {
      // A worker that is stopping waits for its jobs, however long they take, and reports them.
      if (!this.#isStopping) setTimeout(() => this.#givenUp.resolve(), endWaitMs).unref();
    });
    return events;
  }

  #log(level: LogLevel | string, message: string): void {
    if (level === 'error') this.#options.log.warn(`jobs: ${message}`);
    else if (level === 'warning') this.#options.log.info(`jobs: ${message}`);
    else this.#options.log.debug(`jobs: ${message}`);
  }
}
