import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** Shares of a line. All are those of one worker process, so that the sum over all processes is bounded, too. */
export interface Shares {
  /** Jobs at once. */
  slots: number;
  /** Free slots that are kept for merchants that hold none. */
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

/** Seconds for which a claimed job is this worker's without another word. A dead worker's jobs start again after it. */
export const leaseSeconds = 20;
/** Waits at the most between two tries of a job that fails: e^10 seconds. */
const mostBackoffExponent = 10;

/** Moves due jobs of some tasks (by the name of their line) out of the queue into their lines; returns how many. */
export async function gatherJobs(
  tx: Tx,
  lineOfTask: ReadonlyMap<string, string>,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    select gather_merchant_jobs(${[...lineOfTask.keys()]}::text[], ${[...lineOfTask.values()]}::text[],
      ${most}::integer) as moved`.execute(tx.prepared);
  return rows[0]?.moved ?? 0;
}

/** Gives back jobs whose worker has not renewed its lease. */
export async function releaseExpired(tx: Tx): Promise<void> {
  await sql`select release_merchant_jobs()`.execute(tx.prepared);
}

/** Claims jobs of a line for a worker, of one merchant after the other, beginning behind `afterMerchant`. */
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

/** Renews the leases of jobs that a worker is at. */
export async function renewLeases(tx: Tx, worker: string, ids: readonly bigint[]): Promise<void> {
  await sql`update merchant_job set leased_until = now() + ${leaseSeconds} * interval '1 second'
    where worker = ${worker}::uuid and id = any (${[...ids]}::bigint[])`.execute(tx.prepared);
}

/** Removes jobs that a worker has done. One whose lease expired meanwhile is another worker's, and stays. */
export async function removeDone(tx: Tx, worker: string, ids: readonly bigint[]): Promise<void> {
  await sql`delete from merchant_job where worker = ${worker}::uuid and id = any (${[...ids]}::bigint[])`.execute(
    tx.prepared,
  );
}

/** Gives back a job that has failed, to be tried again later: with each try the wait grows. */
export async function returnFailed(
  tx: Tx,
  worker: string,
  job: Pick<ClaimedJob, 'id' | 'attempts'>,
  error: string,
): Promise<void> {
  const exponent = Math.min(job.attempts, mostBackoffExponent);
  await sql`select return_merchant_job(id, now() + exp(${exponent}::double precision) * interval '1 second', ${error})
    from merchant_job where id = ${job.id} and worker = ${worker}::uuid`.execute(tx.prepared);
}

/** Jobs that have been due for some seconds, and those that failed and wait for their next try, the oldest first. */
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
