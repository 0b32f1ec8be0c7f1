-- A job waits by the database's clock: a server whose own is wrong must not make it wait longer, or not at all.
drop function enqueue_job;
create function enqueue_job(task text, payload json, delay_seconds integer, job_key text, max_attempts integer)
  returns void
  language sql volatile security definer set search_path = public, pg_temp
  as $$
    select graphile_worker.add_job(
      task, payload, run_at => now() + enqueue_job.delay_seconds * interval '1 second',
      job_key => enqueue_job.job_key, max_attempts => enqueue_job.max_attempts)
  $$;
revoke execute on function enqueue_job from public;
grant execute on function enqueue_job to hengfu_app, hengfu_system;
