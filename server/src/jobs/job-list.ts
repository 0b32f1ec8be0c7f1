import type { Database } from '#db/database.ts';
import { asOwner } from '#db/owner.ts';
import { listLateMerchantJobs } from './merchant-jobs.sql.ts';

/** A job that is overdue or has failed before. */
export interface LateJob {
  task: string;
  key: string | null;
  attempts: number;
  runAt: Date;
  /** When a worker started it. */
  lockedAt: Date | null;
  /** First line of its last error. */
  lastError: string | null;
}

/**
 * Lists jobs that are overdue by some seconds, and failed ones that wait for their retry, oldest first: from
 * the queue, which belongs to the owner, and from merchants' jobs.
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
