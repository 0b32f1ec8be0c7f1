import { asOwner } from '#db/owner.ts';

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

/** Jobs that have been due for some seconds, and those that failed and wait for their next try; the queue is the owner's. */
export async function listLateJobs(ownerUrl: string, dueSeconds: number, limit: number): Promise<LateJob[]> {
  return asOwner(ownerUrl, async (client) => {
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
}
