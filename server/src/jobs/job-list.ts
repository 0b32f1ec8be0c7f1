import type { Database } from '#db/database.ts';
import { asOwner } from '#db/owner.ts';
import { listLateMerchantJobs } from './merchant-jobs.sql.ts';

/** A job that is overdue or has failed before. */
export interface LateJob {
  task: string;
  key: string | null;
  /** Of a recurring task: its failed runs since the last success. */
  attempts: number;
  runAt: Date;
  /** When a worker started it. */
  lockedAt: Date | null;
  /** First line of its last error. */
  lastError: string | null;
}

/**
 * The waiting job of a recurring task has not failed itself: its error is that of the task's last run. Jobs that were replaced while they
 * ran are left out.
 */
const late = `
  select coalesce(j.task_identifier, f.task) as task, coalesce(j.key, f.task) as key, coalesce(f.failures, j.attempts) as attempts,
    coalesce(j.run_at, f.failed_at) as "runAt", j.locked_at as "lockedAt",
    split_part(coalesce(j.last_error, f.last_error), E'\\n', 1) as "lastError"
  from (select * from graphile_worker.jobs where key is not null or attempts < max_attempts) j
    full join failing_task f on f.task = j.key
  where j.run_at < now() - $1 * interval '1 second' or j.last_error is not null or f.task is not null
  order by "runAt" limit $2`;

/**
 * Lists jobs that are overdue by some seconds, and failed ones that wait for their retry or next run, oldest first: from
 * the queue, which belongs to the owner, and from merchants' jobs.
 */
export async function listLateJobs(
  ownerUrl: string,
  database: Database,
  dueSeconds: number,
  limit: number,
): Promise<LateJob[]> {
  const queued = await asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<LateJob>(late, [dueSeconds, limit]);
    return rows;
  });
  const ofMerchants = await database.asSystem((tx) => listLateMerchantJobs(tx, dueSeconds, limit));
  return [...queued, ...ofMerchants]
    .toSorted((one, other) => one.runAt.getTime() - other.runAt.getTime())
    .slice(0, limit);
}
