-- The door through which transactions put work into the queue. The queue's tables belong to the owner and are not
-- the application's to touch.
create function enqueue_job(task text, payload json, run_at timestamptz, job_key text, max_attempts integer)
  returns void
  language sql volatile security definer set search_path = public, pg_temp
  as $$
    select graphile_worker.add_job(
      task, payload, run_at => coalesce(enqueue_job.run_at, now()), job_key => enqueue_job.job_key,
      max_attempts => enqueue_job.max_attempts)
  $$;
revoke execute on function enqueue_job from public;
grant execute on function enqueue_job to hengfu_app, hengfu_system;
