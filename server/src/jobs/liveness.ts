import type pg from 'pg';

/** How often a worker says that it lives. */
const beatMs = 5_000;
/** A worker not heard of for so long is dead: its jobs are another's. */
const deadAfterSeconds = 20;

const beat = `
  insert into job_worker (pool_id) values ($1)
  on conflict (pool_id) do update set seen_at = now()`;
const release = `
  select graphile_worker.force_unlock_workers(array(
    select distinct j.locked_by from graphile_worker._private_jobs j
    where j.locked_at < now() - $1 * interval '1 second' and not exists (
      select from job_worker w where w.pool_id = j.locked_by and w.seen_at > now() - $1 * interval '1 second')))`;
/** What was replaced under its key while a worker had it, and then was not done: the queue keeps it for ever, and never does it. */
const forgetReplaced = `
  delete from graphile_worker._private_jobs where key is null and attempts >= max_attempts and locked_at is null`;
const forget = `delete from job_worker where seen_at < now() - interval '1 hour'`;

/**
 * Keeps saying that a worker lives, and gives back the jobs of those that died holding them: by itself the queue would
 * wait four hours. Returns the function that ends it.
 */
export function keepAlive(pool: pg.Pool, poolId: string, onError: (error: unknown) => void): () => void {
  const once = async () => {
    await pool.query(beat, [poolId]);
    await pool.query(release, [deadAfterSeconds]);
    await pool.query(forgetReplaced);
    await pool.query(forget);
  };
  const run = () => void once().catch(onError);
  run();
  const timer = setInterval(run, beatMs);
  return () => clearInterval(timer);
}
