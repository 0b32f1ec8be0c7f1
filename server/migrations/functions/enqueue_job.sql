-- Adds a job to the queue. The queue's tables belong to the owner and are not accessible to the application. The delay is
-- measured by the database's clock: a process with a wrong clock must not delay it further.
create or replace function enqueue_job(
  task text, payload json, delay_seconds integer, job_key text, max_attempts integer
) returns void
  language sql volatile security definer set search_path = quiet, pg_catalog, public, pg_temp
  set plan_cache_mode = force_generic_plan
  as $$
    select graphile_worker.add_job(
      job_for_role(task, payload), payload, run_at => now() + enqueue_job.delay_seconds * interval '1 second',
      job_key => job_key_for_role(task, payload, enqueue_job.job_key), max_attempts => enqueue_job.max_attempts)
  $$;
revoke execute on function enqueue_job from public;
grant execute on function enqueue_job to hengfu_app, hengfu_staff, hengfu_system;
