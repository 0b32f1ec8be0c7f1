-- Removes a job from the queue in the transaction that makes it unnecessary. Leaves a running job alone: its task notices
-- by itself. The queue's own remove_job would leave a row forever if such a worker died.
create or replace function dequeue_job(job_key text) returns void
  language sql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  as $$ delete from graphile_worker._private_jobs j where j.key = dequeue_job.job_key and j.locked_at is null $$;
revoke execute on function dequeue_job from public;
grant execute on function dequeue_job to hengfu_app, hengfu_system;
