-- Takes due jobs of the given tasks out of the queue, whose tables belong to the owner. The caller has to store them.
create or replace function take_due_jobs(tasks text[], most integer)
  returns table (task text, key text, payload json, due_at timestamptz, attempts integer)
  language sql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  as $$
    with due as materialized (
      select j.id, t.identifier
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where j.is_available and j.run_at <= now() and j.job_queue_id is null and t.identifier = any (tasks)
      order by j.priority, j.run_at limit most for update of j skip locked)
    delete from graphile_worker._private_jobs j using due where j.id = due.id
    returning due.identifier, j.key, j.payload, j.run_at, j.attempts::integer
  $$;
revoke execute on function take_due_jobs from public;
grant execute on function take_due_jobs to hengfu_system;
