import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** Limits of a line, for one worker process, so that the sum over all processes is bounded, too. */
export interface Shares {
  /** Concurrent jobs. */
  slots: number;
  /** Free slots reserved for merchants that hold none. */
  reserved: number;
  perMerchant: number;
  /** For one target (an origin, a channel), whichever merchants call it. */
  perTarget: number;
  perHost: number;
}

/** A job that this worker has claimed. */
export interface ClaimedJob {
  id: bigint;
  merchantId: bigint;
  task: string;
  key: string | null;
  payload: unknown;
  attempts: number;
  isTrial: boolean;
}

/** A claimed job's lease expires after this unless it is renewed. Other workers can then claim the job. */
export const leaseSeconds = 20;
/** Limits the backoff of a failing job to e^10 seconds, about six hours. */
const maxBackoffExponent = 10;

/** Moves due jobs of these tasks out of the queue into their lines. Returns how many. */
export async function gatherJobs(
  tx: Tx,
  lineOfTask: ReadonlyMap<string, string>,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    select gather_merchant_jobs(${[...lineOfTask.keys()]}::text[], ${[...lineOfTask.values()]}::text[],
      ${limit}::integer) as moved`.execute(tx.prepared);
  return rows[0]?.moved ?? 0;
}

/** Releases jobs whose lease has expired. */
export async function releaseExpired(tx: Tx): Promise<void> {
  await sql`select release_merchant_jobs()`.execute(tx.prepared);
}

/** Claims jobs of a line for a worker, one merchant after the other, starting after `afterMerchant`. */
export async function claimJobs(
  tx: Tx,
  worker: string,
  {
    line,
    free,
    afterMerchant,
    shares,
  }: { line: string; free: number; afterMerchant: bigint; shares: Shares },
): Promise<ClaimedJob[]> {
  const { rows } = await sql<ClaimedJob>`
    select id, merchant_id as "merchantId", task, key, payload, attempts, is_trial as "isTrial"
    from claim_merchant_jobs(${line}, ${worker}::uuid, ${free}::integer, ${shares.reserved}::integer,
      ${shares.perMerchant}::integer, ${shares.perTarget}::integer, ${shares.perHost}::integer,
      ${afterMerchant}::bigint, ${leaseSeconds}::integer)`.execute(tx.prepared);
  return rows;
}

/**
 * Renews the leases of jobs that a worker is running. Skips those whose rows are locked: another transaction is reporting or
 * releasing them, in an order of its own, so waiting for it could deadlock.
 */
export async function renewLeases(tx: Tx, worker: string, ids: readonly bigint[]): Promise<void> {
  await sql`update merchant_job set leased_until = now() + ${leaseSeconds} * interval '1 second'
    where id in (
      select id from merchant_job where worker = ${worker}::uuid and id = any (${[...ids]}::bigint[])
      for no key update skip locked)`.execute(tx.prepared);
}

/** Removes finished jobs of a worker. One whose lease has expired belongs to another worker, and stays. */
export async function removeDone(tx: Tx, worker: string, ids: readonly bigint[]): Promise<void> {
  await sql`delete from merchant_job where worker = ${worker}::uuid and id = any (${[...ids]}::bigint[])`.execute(
    tx.prepared,
  );
}

/** Returns a failed job for a later retry, with exponential backoff. One whose lease has expired belongs to another worker, and stays. */
export async function returnFailed(
  tx: Tx,
  worker: string,
  job: Pick<ClaimedJob, 'id' | 'attempts'>,
  error: string,
): Promise<void> {
  const exponent = Math.min(job.attempts, maxBackoffExponent);
  // Another worker may just be claiming it: the lock waits for that, and then finds whose job it is.
  await sql`select return_merchant_job(id, now() + exp(${exponent}::double precision) * interval '1 second', ${error})
    from (select id from merchant_job where id = ${job.id} and worker = ${worker}::uuid for update) mine`.execute(
    tx.prepared,
  );
}

/** Lists jobs that are overdue by some seconds, and failed ones that wait for their retry, oldest first. */
export async function listLateMerchantJobs(tx: Tx, dueSeconds: number, limit: number) {
  const rows = await tx.query
    .selectFrom('merchant_job')
    .select(['task', 'key', 'attempts', 'due_at as runAt', 'claimed_at as lockedAt'])
    .select(sql<string | null>`split_part(last_error, E'\\n', 1)`.as('lastError'))
    .where((eb) =>
      eb.or([
        eb('due_at', '<', sql<Date>`now() - ${dueSeconds} * interval '1 second'`),
        eb('last_error', 'is not', null),
      ]),
    )
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return rows;
}
