import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Database, pipelined, type Tx } from '#db/database.ts';
import type { Metrics } from '#observability/metrics.ts';
import { tracedJob } from '#observability/tracing/jobs.ts';
import { storableText } from '#security/storable-text.ts';
import type { Task } from './jobs.ts';
import {
  type ClaimedJob,
  claimJobs,
  gatherJobs,
  leaseSeconds,
  releaseExpired,
  removeDone,
  renewLeases,
  returnFailed,
  type Shares,
} from './merchant-jobs.sql.ts';

/** A named queue (`line` in SQL) of tasks whose jobs belong to merchants and share the slots of a worker. */
export interface FairLine {
  name: string;
  tasks: Record<string, Task>;
  shares: Shares;
}

/** Options of a {@link Dispatcher}. */
export interface DispatcherOptions {
  database: Database;
  lines: readonly FairLine[];
  /** Calls the listener when jobs become ready to run. Returns the function that unsubscribes it. */
  onJobsReady: (listener: () => void) => () => void;
  log: Logger;
  metrics: Metrics;
}

/** Poll interval: for jobs that become due, and for lost notifications. */
const pollMs = 1000;
/** Minimum pause between rounds, so that one transaction handles whatever ends or arrives meanwhile. */
const pauseMs = 10;
const maxMovedJobs = 2000;
const renewEveryMs = (leaseSeconds * 1000) / 6;
const keptErrorLength = 500;

/** A line and this worker's progress in it. */
interface Progress {
  line: FairLine;
  running: number;
  /** The merchant served last: the next round starts after it. */
  lastMerchant: bigint;
}

/**
 * Runs merchants' jobs round-robin. Each round reports finished jobs, moves due jobs out of the queue, and
 * claims as many as there are free slots, one merchant after the other. Any number of processes can do so
 * concurrently. A job is leased to its worker. If the worker dies, another one starts the job again once the
 * lease has expired, so a task may run twice.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #worker = randomUUID();
  readonly #lines: readonly Progress[];
  readonly #lineOfTask: ReadonlyMap<string, string>;
  /** Jobs that this worker holds until they are reported. */
  readonly #held = new Map<bigint, Promise<void>>();
  #done: bigint[] = [];
  #failed: { job: ClaimedJob; error: string }[] = [];
  #wake = Promise.withResolvers<void>();
  #isStopping = false;
  #loop: Promise<void> | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#lines = options.lines.map((line) => ({ line, running: 0, lastMerchant: -1n }));
    this.#lineOfTask = new Map(
      options.lines.flatMap(({ name, tasks }) => Object.keys(tasks).map((task) => [task, name] as const)),
    );
  }

  /** Starts, and keeps trying while the database is away. */
  start(): void {
    this.#loop ??= this.#run();
  }

  /** Lets running jobs finish, reports them and stops. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wake.resolve();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { onJobsReady, log } = this.#options;
    const unsubscribe = onJobsReady(() => this.#wake.resolve());
    const renewing = setInterval(() => void this.#renew(), renewEveryMs);
    while (!this.#isStopping) {
      const hasMore = await this.#runRound().catch((error: unknown) => {
        log.warn({ err: error }, 'merchant jobs: round failed, retrying');
        return false;
      });
      if (!hasMore) await Promise.race([this.#wake.promise, pause(pollMs, undefined, { ref: false })]);
      await pause(pauseMs);
    }
    unsubscribe();
    await Promise.all(this.#held.values());
    await this.#runRound().catch((error: unknown) =>
      log.warn({ err: error }, 'merchant jobs: finished jobs not reported'),
    );
    clearInterval(renewing);
  }

  /** Removes finished jobs, moves due ones and claims, in one transaction. Returns whether another round would find more. */
  async #runRound(): Promise<boolean> {
    this.#wake = Promise.withResolvers();
    await this.#returnFailed();
    const done = this.#done;
    this.#done = [];
    try {
      // Work that a crash of the database undoes is done again, so there is no wait for the disk.
      const { moved, claimed } = await this.#options.database.asSystem(
        async (tx) => {
          if (done.length > 0) await removeDone(tx, this.#worker, done);
          return this.#isStopping ? { moved: 0, claimed: [] } : this.#claim(tx);
        },
        { relaxed: true },
      );
      for (const id of done) this.#held.delete(id);
      for (const { progress, jobs } of claimed) for (const job of jobs) this.#begin(progress, job);
      return moved === maxMovedJobs;
    } catch (error) {
      this.#done.push(...done);
      throw error;
    }
  }

  /**
   * Returns failed jobs in a transaction of its own, in the order of their keys, as jobs are moved out of the queue: a round of another process that
   * moves jobs with the same keys waits for this one, or this one for it, never both.
   */
  async #returnFailed(): Promise<void> {
    const failed = this.#failed.toSorted(({ job: a }, { job: b }) =>
      (a.key ?? '') < (b.key ?? '') ? -1 : 1,
    );
    if (failed.length === 0) return;
    this.#failed = [];
    try {
      await this.#options.database.asSystem(
        (tx) => pipelined(failed.map(({ job, error }) => returnFailed(tx, this.#worker, job, error))),
        { relaxed: true },
      );
      for (const { job } of failed) this.#held.delete(job.id);
    } catch (error) {
      this.#failed.push(...failed);
      throw error;
    }
  }

  async #claim(tx: Tx) {
    const [moved] = await pipelined([gatherJobs(tx, this.#lineOfTask, maxMovedJobs), releaseExpired(tx)]);
    const open = this.#lines.filter(({ line, running }) => running < line.shares.slots);
    const claims = open.map(async (progress) => {
      const { line, running, lastMerchant } = progress;
      const { name, shares } = line;
      const free = shares.slots - running;
      const jobs = await claimJobs(tx, this.#worker, {
        line: name,
        free,
        afterMerchant: lastMerchant,
        shares,
      });
      return { progress, jobs };
    });
    return { moved, claimed: await pipelined(claims) };
  }

  #begin(progress: Progress, job: ClaimedJob): void {
    progress.running++;
    progress.lastMerchant = job.merchantId;
    const work = this.#execute(progress.line, job).finally(() => {
      progress.running--;
      this.#wake.resolve();
    });
    this.#held.set(job.id, work);
  }

  async #execute({ tasks }: FairLine, job: ClaimedJob): Promise<void> {
    const stop = this.#options.metrics.jobs.startTimer({ task: job.task });
    try {
      const task = tasks[job.task];
      if (!task) throw new Error(`unknown task ${job.task}`);
      await tracedJob(job.task, job.payload, () => task(job.payload, { isTrial: job.isTrial }));
      stop({ outcome: 'done' });
      this.#done.push(job.id);
    } catch (error) {
      stop({ outcome: 'failed' });
      const text = error instanceof Error ? error.message || error.name : String(error);
      this.#options.log.warn({ err: error, task: job.task, key: job.key }, 'merchant jobs: a job failed');
      // An error that cannot be stored would fail every later report, and with it every round.
      this.#failed.push({ job, error: storableText(text, keptErrorLength) });
    }
  }

  /** Renews only the leases that this process knows of: a job claimed in a lost reply must expire. */
  async #renew(): Promise<void> {
    if (this.#held.size === 0) return;
    const ids = [...this.#held.keys()];
    await this.#options.database
      .asSystem((tx) => renewLeases(tx, this.#worker, ids), { oneStatement: true, relaxed: true })
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'merchant jobs: leases not renewed'));
  }
}
