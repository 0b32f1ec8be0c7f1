import { EventEmitter } from 'node:events';
import {
  Logger,
  type LogLevel,
  parseCronItems,
  type Runner,
  run,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import pg from 'pg';
import type { Logger as Log } from 'pino';
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
/** What can't be reported to a database that is away ends the run in good order, to be begun again. */
const reported = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };
const again = `
  select graphile_worker.add_job($1, '{}'::json, run_at => now() + $2 * interval '1 second', job_key => $1)`;

/**
 * Runs jobs until stopped. Recurring work is a job that puts itself back, one at a time in the whole installation; a
 * line of cron a minute brings it back should it ever be lost. While the database is away the worker waits for it.
 */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #pool: pg.Pool;
  #runner: Runner | undefined;
  #endLife: (() => void) | undefined;
  #stopped = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#pool = new pg.Pool({
      connectionString: options.ownerUrl,
      max: options.concurrency + 2,
      application_name: 'hengfu jobs',
    });
    this.#pool.on('error', (error) => options.log.warn({ err: error }, 'jobs: connection lost'));
    // The queue asks that single connections report their errors too.
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  async start(): Promise<void> {
    while (!this.#stopped) {
      try {
        const runner = await run({
          pgPool: this.#pool,
          taskList: this.#taskList(),
          parsedCronItems: parseCronItems(
            this.#options.recurring.map(({ task }) => ({
              task,
              match: '* * * * *',
              options: { jobKey: task },
            })),
          ),
          concurrency: this.#options.concurrency,
          events: this.#events(),
          preset: { worker: reported },
          noHandleSignals: true,
          pollInterval: 1000,
          logger: new Logger(() => (level, message) => this.#log(level, message)),
        });
        this.#runner = runner;
        for (const { task } of this.#options.recurring) await runner.addJob(task, {}, { jobKey: task });
        void runner.promise
          .catch((error) => this.#options.log.warn({ err: error }, 'jobs: stopped'))
          .then(() => this.#again());
        return;
      } catch (error) {
        this.#options.log.warn({ err: error }, 'jobs: cannot start, trying again');
        await new Promise((resolve) => setTimeout(resolve, restartMs));
      }
    }
  }

  /** Lets running jobs finish and stops. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#runner?.stop().catch(() => {});
    this.#endLife?.();
    await this.#pool.end();
  }

  /** Hears of the pool that the queue knows this worker by. */
  #events(): WorkerEvents {
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => {
      this.#endLife?.();
      this.#endLife = keepAlive(this.#pool, workerPool.id, (error) =>
        this.#options.log.warn({ err: error }, 'jobs: cannot say that this worker lives'),
      );
    });
    return events;
  }

  #again(): void {
    if (!this.#stopped) setTimeout(() => void this.start(), restartMs);
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
