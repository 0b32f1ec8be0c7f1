import type pg from 'pg';
import { deleteOldFailures } from './failing-tasks.ts';

/** Heartbeat interval of a worker. */
const heartbeatMs = 5_000;
/** A worker without a heartbeat for this long is dead: others take over its jobs. */
const deadAfterSeconds = 20;

const heartbeat = `
  insert into job_worker (pool_id) values ($1)
  on conflict (pool_id) do update set seen_at = now()`;
const release = `
  select graphile_worker.force_unlock_workers(array(
    select distinct j.locked_by from graphile_worker._private_jobs j
    where j.locked_at < now() - $1 * interval '1 second' and not exists (
      select from job_worker w where w.pool_id = j.locked_by and w.seen_at > now() - $1 * interval '1 second')))`;
/**
 * Jobs that were replaced under their key while a worker ran them, and then failed. The queue keeps them
 * forever but never runs them.
 */
const deleteReplaced = `
  delete from graphile_worker._private_jobs where key is null and attempts >= max_attempts and locked_at is null`;
const deleteDeadWorkers = `delete from job_worker where seen_at < now() - interval '1 hour'`;

/**
 * Sends a worker's heartbeat, and releases the jobs of dead workers, for which the queue itself would wait
 * four hours. Returns the function that stops it.
 */
export function keepAlive(pool: pg.Pool, poolId: string, onError: (error: unknown) => void): () => void {
  const tick = async () => {
    await pool.query(heartbeat, [poolId]);
    await pool.query(release, [deadAfterSeconds]);
    await pool.query(deleteReplaced);
    await pool.query(deleteDeadWorkers);
    await pool.query(deleteOldFailures);
  };
  const run = () => void tick().catch(onError);
  run();
  const timer = setInterval(run, heartbeatMs);
  return () => clearInterval(timer);
}
