import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** When and how often a job is tried. */
export interface EnqueueOptions {
  /** By the database's clock; at once where absent. */
  delaySeconds?: number;
  /** A waiting job with the same key is replaced, so that there is one at most. */
  key: string;
  maxAttempts?: number;
}

/** The queue waits six hours at the most between two tries: months, so that nothing is given up unseen. */
export const defaultMaxAttempts = 1000;

/** Puts a job into the queue, in the transaction that makes it necessary. */
export async function enqueue(tx: Tx, task: string, payload: object, options: EnqueueOptions): Promise<void> {
  const { delaySeconds = 0, key, maxAttempts = defaultMaxAttempts } = options;
  await sql`select enqueue_job(${task}, ${JSON.stringify(payload)}::json, ${delaySeconds}::integer, ${key}, ${maxAttempts})`.execute(
    tx.prepared,
  );
  if (delaySeconds === 0) tx.planned(1);
}

/** Takes a job that waits out of the queue, in the transaction that makes it needless; one under way finds out by itself. */
export async function dequeue(tx: Tx, key: string): Promise<void> {
  await sql`select dequeue_job(${key})`.execute(tx.prepared);
}

/** What a task may want to know of the turn that its job got. */
export interface Turn {
  /** Whether the job is to find out if a target answers again; the merchant's other jobs for it wait. */
  isTrial: boolean;
}

/** A kind of work: what the queue hands it is checked by the task itself. */
export type Task = (payload: unknown, turn?: Turn) => Promise<void>;

/** Work that is done over and over, once for the whole installation. */
export interface Recurring {
  task: string;
  everySeconds: number;
}
