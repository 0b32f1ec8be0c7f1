-- A job that nobody needs any more leaves the queue in the transaction that makes it so. One that a worker is at ends as it
-- would, and is not tried again.
create function dequeue_job(job_key text) returns void
  language sql volatile security definer set search_path = quiet, pg_catalog, public, pg_temp
  set plan_cache_mode = force_generic_plan
  as $$ select graphile_worker.remove_job(dequeue_job.job_key) $$;
revoke execute on function dequeue_job from public;
grant execute on function dequeue_job to hengfu_app, hengfu_system;
