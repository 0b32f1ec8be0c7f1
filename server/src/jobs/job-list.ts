import type { Database } from '#db/database.ts';
import { asOwner } from '#db/owner.ts';
import { listLateMerchantJobs } from './merchant-jobs.sql.ts';

/** A job that is late, or has failed before. */
export interface LateJob {
  task: string;
  key: string | null;
  attempts: number;
  runAt: Date;
  /** Since when a worker has been at it. */
  lockedAt: Date | null;
  /** First line of what its last attempt failed with. */
  lastError: string | null;
}

/**
 * Jobs that have been due for some seconds, and those that failed and wait for their next try, the oldest first: those in
 * the queue, which is the owner's, and those that take turns by merchant.
 */
export async function listLateJobs(
  ownerUrl: string,
  database: Database,
  dueSeconds: number,
  limit: number,
): Promise<LateJob[]> {
  const queued = await asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<LateJob>(
      `select j.task_identifier as task, j.key, j.attempts, j.run_at as "runAt", j.locked_at as "lockedAt",
        split_part(j.last_error, E'\\n', 1) as "lastError"
      from graphile_worker.jobs j
      where j.run_at < now() - $1 * interval '1 second' or j.last_error is not null
      order by j.run_at limit $2`,
      [dueSeconds, limit],
    );
    return rows;
  });
  const ofMerchants = await database.asSystem((tx) => listLateMerchantJobs(tx, dueSeconds, limit));
  return [...queued, ...ofMerchants]
    .toSorted((one, other) => one.runAt.getTime() - other.runAt.getTime())
    .slice(0, limit);
}
