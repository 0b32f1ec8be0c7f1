-- A job that nobody needs any more leaves the queue in the transaction that makes it so, unless a worker is at it: that one
-- finds out by itself. The queue's own way (remove_job) would leave a row for ever where such a worker dies.
create function dequeue_job(job_key text) returns void
  language sql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  as $$ delete from graphile_worker._private_jobs j where j.key = dequeue_job.job_key and j.locked_at is null $$;
revoke execute on function dequeue_job from public;
grant execute on function dequeue_job to hengfu_app, hengfu_system;
