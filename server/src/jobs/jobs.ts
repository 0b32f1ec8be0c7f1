import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** When a job runs and how often it is tried. */
export interface EnqueueOptions {
  /** By the database's clock. Runs immediately if absent. */
  delaySeconds?: number;
  /** Replaces a waiting job with the same key, so there is at most one. */
  key: string;
  maxAttempts?: number;
}

/** The queue's backoff ends at six hours, so this takes months: nothing is given up unnoticed. */
export const defaultMaxAttempts = 1000;

/** Enqueues a job, in the transaction that makes it necessary. */
export async function enqueue(tx: Tx, task: string, payload: object, options: EnqueueOptions): Promise<void> {
  const { delaySeconds = 0, key, maxAttempts = defaultMaxAttempts } = options;
  await sql`select enqueue_job(${task}, ${JSON.stringify(payload)}::json, ${delaySeconds}::integer, ${key}, ${maxAttempts})`.execute(
    tx.prepared,
  );
  if (delaySeconds === 0) tx.jobsReady(1);
}

/** Removes a waiting job, in the transaction that makes it unnecessary. A running job must notice. */
export async function dequeue(tx: Tx, key: string): Promise<void> {
  await sql`select dequeue_job(${key})`.execute(tx.prepared);
}

/** Facts about the run of a job, for its task. */
export interface RunContext {
  /** Whether the job tests if a target answers again, while the merchant's other jobs for it wait. */
  isTrial: boolean;
}

/** A kind of work. It validates its payload itself. */
export type Task = (payload: unknown, context?: RunContext) => Promise<void>;

/** Work that repeats at an interval, once for the whole installation. */
export interface Recurring {
  task: string;
  everySeconds: number;
}
