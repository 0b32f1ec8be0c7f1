import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Database, type Tx, together } from '#db/database.ts';
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

/** Tasks whose jobs belong to merchants and share the slots of a worker. */
export interface FairLine {
  name: string;
  tasks: Record<string, Task>;
  shares: Shares;
}

/** What a dispatcher works with. */
export interface DispatcherOptions {
  database: Database;
  lines: readonly FairLine[];
  /** Calls back when jobs were planned that may begin at once; returns the function that ends that. */
  onPlanned: (listener: () => void) => () => void;
  log: Logger;
  metrics: Metrics;
}

/** Looks so often without being woken: for jobs that become due, and for wake-ups that got lost. */
const pollMs = 1000;
/** Turns follow each other no faster: what ends or is planned meanwhile is handled by one transaction. */
const pauseMs = 10;
const gatheredAtOnce = 2000;
const renewEveryMs = (leaseSeconds * 1000) / 6;
const keptErrorLength = 500;

/** A line and how far this worker is in it. */
interface Progress {
  line: FairLine;
  running: number;
  /** The merchant that was served last: the next turn begins behind it. */
  lastMerchant: bigint;
}

/**
 * Does the jobs of merchants in fair turns: each turn reports what has ended, moves due jobs out of the queue, and claims
 * as many as there are free slots, of one merchant after the other. Any number of processes may do so at once. A job is
 * leased to its worker; where that dies, another one begins it again once the lease is over, so a task may run twice.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #worker = randomUUID();
  readonly #lines: readonly Progress[];
  readonly #lineOfTask: ReadonlyMap<string, string>;
  /** Jobs that are this worker's until they are reported. */
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

  /** Begins, and goes on trying while the database is away. */
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
    const { onPlanned, log } = this.#options;
    const ignore = onPlanned(() => this.#wake.resolve());
    const renewing = setInterval(() => void this.#renew(), renewEveryMs);
    while (!this.#isStopping) {
      const isMore = await this.#turn().catch((error: unknown) => {
        log.warn({ err: error }, 'merchant jobs: cannot take turns, trying again');
        return false;
      });
      if (!isMore) await Promise.race([this.#wake.promise, pause(pollMs, undefined, { ref: false })]);
      await pause(pauseMs);
    }
    ignore();
    await Promise.all(this.#held.values());
    await this.#turn().catch((error: unknown) => log.warn({ err: error }, 'merchant jobs: not reported'));
    clearInterval(renewing);
  }

  /** Reports, moves and claims in one transaction; returns whether another turn would find more. */
  async #turn(): Promise<boolean> {
    this.#wake = Promise.withResolvers();
    const [done, failed] = [this.#done, this.#failed];
    [this.#done, this.#failed] = [[], []];
    try {
      // What a crash of the database takes back is done again: no wait for the disk.
      const { moved, claimed } = await this.#options.database.asSystem(
        async (tx) => {
          if (done.length + failed.length > 0) await this.#report(tx, done, failed);
          return this.#isStopping ? { moved: 0, claimed: [] } : this.#claim(tx);
        },
        { relaxed: true },
      );
      for (const id of [...done, ...failed.map(({ job }) => job.id)]) this.#held.delete(id);
      for (const { progress, jobs } of claimed) for (const job of jobs) this.#begin(progress, job);
      return moved === gatheredAtOnce;
    } catch (error) {
      this.#done.push(...done);
      this.#failed.push(...failed);
      throw error;
    }
  }

  async #report(
    tx: Tx,
    done: readonly bigint[],
    failed: readonly { job: ClaimedJob; error: string }[],
  ): Promise<void> {
    await together([
      removeDone(tx, this.#worker, done),
      ...failed.map(({ job, error }) => returnFailed(tx, this.#worker, job, error)),
    ]);
  }

  async #claim(tx: Tx) {
    const [moved] = await together([gatherJobs(tx, this.#lineOfTask, gatheredAtOnce), releaseExpired(tx)]);
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
    return { moved, claimed: await together(claims) };
  }

  #begin(progress: Progress, job: ClaimedJob): void {
    progress.running++;
    progress.lastMerchant = job.merchantId;
    const work = this.#do(progress.line, job).finally(() => {
      progress.running--;
      this.#wake.resolve();
    });
    this.#held.set(job.id, work);
  }

  async #do({ tasks }: FairLine, job: ClaimedJob): Promise<void> {
    const stop = this.#options.metrics.jobs.startTimer({ task: job.task });
    try {
      const task = tasks[job.task];
      if (!task) throw new Error(`there is no task ${job.task}`);
      await tracedJob(job.task, job.payload, () => task(job.payload, { isTrial: job.isTrial }));
      stop({ outcome: 'done' });
      this.#done.push(job.id);
    } catch (error) {
      stop({ outcome: 'failed' });
      const text = error instanceof Error ? error.message || error.name : String(error);
      this.#options.log.warn({ err: error, task: job.task, key: job.key }, 'merchant jobs: a job failed');
      // A text that cannot be stored would fail every report from now on, and with it every turn.
      this.#failed.push({ job, error: storableText(text, keptErrorLength) });
    }
  }

  /** Only what this process knows of: a job that was claimed in an answer that got lost is to expire. */
  async #renew(): Promise<void> {
    if (this.#held.size === 0) return;
    const ids = [...this.#held.keys()];
    await this.#options.database
      .asSystem((tx) => renewLeases(tx, this.#worker, ids), { oneStatement: true, relaxed: true })
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'merchant jobs: leases not renewed'));
  }
}
