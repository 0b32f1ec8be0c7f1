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

/** What a run of the queue is made of. */
export interface QueueRunOptions {
  /** The queue's tables are the owner's. */
  readonly ownerUrl: string;
  readonly tasks: TaskList;
  /** Names of the tasks that a line of cron brings back each minute. */
  readonly recurring: readonly string[];
  /** How many jobs at once. */
  readonly concurrency: number;
  readonly log: Log;
}

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
/** Its own queue has one run of it wait for the other: a key alone does not while it runs. */
const onlyOne = (task: string) => ({ jobKey: task, queueName: task });

/**
 * One run of the queue, from its beginning to where the database went away, with connections of its own: what it may leave
 * behind is in no other's way.
 */
export class QueueRun {
  readonly #options: QueueRunOptions;
  readonly #pool: pg.Pool;
  readonly #givenUp = Promise.withResolvers<void>();
  #runner: Runner | undefined;
  #endLife: (() => void) | undefined;
  #released: Promise<void> | undefined;
  #isStopping = false;

  constructor(options: QueueRunOptions) {
    this.#options = options;
    this.#pool = openPlainPool(options.ownerUrl, {
      max: Math.min(options.concurrency, mostAsking) + listening,
      applicationName: 'hengfu jobs',
      onError: (error) => options.log.warn({ err: error }, 'jobs: connection lost'),
    });
  }

  /**
   * Does jobs until the run ends, can't begin, or can't be waited for any more.
   * @param onBegun called once it does jobs
   */
  async whole(onBegun: () => void): Promise<void> {
    await Promise.race([this.#through(onBegun), this.#givenUp.promise]);
    void this.#release();
  }

  /** Lets running jobs finish and ends. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#runner?.stop().catch(() => {});
    await this.#release();
  }

  async #through(onBegun: () => void): Promise<void> {
    const { log, recurring } = this.#options;
    try {
      const runner = await run(this.#settings());
      this.#runner = runner;
      const ended = runner.promise.catch((error) => log.warn({ err: error }, 'jobs: stopped'));
      for (const task of recurring) await runner.addJob(task, {}, onlyOne(task));
      onBegun();
      await ended;
    } catch (error) {
      log.warn({ err: error }, 'jobs: cannot start, trying again');
      this.#runner?.stop().catch(() => {});
    }
  }

  /** Its jobs are another's once it is not heard of any more. */
  #release(): Promise<void> {
    this.#endLife?.();
    this.#released ??= this.#pool.end().catch(() => {});
    return this.#released;
  }

  #settings(): RunnerOptions {
    const { tasks, recurring, concurrency } = this.#options;
    return {
      pgPool: this.#pool,
      taskList: tasks,
      parsedCronItems: parseCronItems(
        recurring.map((task) => ({ task, match: '* * * * *', options: onlyOne(task) })),
      ),
      concurrency,
      events: this.#events(),
      preset: { worker: reported },
      noHandleSignals: true,
      // Each of the jobs at once looks by itself: together they look a few times a second, however many they are.
      pollInterval: Math.max(1000, concurrency * 250),
      logger: new Logger(() => (level, message) => this.#log(level, message)),
    };
  }

  /** Hears of the pool that the queue knows this worker by, and of a run that ends itself. */
  #events(): WorkerEvents {
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => {
      if (this.#released) return;
      this.#endLife = keepAlive(this.#pool, workerPool.id, (error) =>
        this.#options.log.warn({ err: error }, 'jobs: cannot say that this worker lives'),
      );
    });
    events.on('pool:gracefulShutdown', () => {
      // Who was told to stop waits for its jobs, however long they take, and reports them.
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
