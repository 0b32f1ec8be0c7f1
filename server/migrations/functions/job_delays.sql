-- How long the oldest due job, and the oldest due callback, have waited for a worker, in seconds; null if none is due.
-- Looks for callbacks among the first thousand jobs, which bounds its cost.
create or replace function job_delays()
  returns table (job_seconds double precision, callback_seconds double precision)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    with due as (
      select j.run_at, t.identifier
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where j.is_available and j.run_at <= now()
      order by j.priority, j.run_at limit 1000)
    select extract(epoch from now() - min(run_at))::double precision,
      extract(epoch from now() - min(run_at) filter (where identifier in ('callbacks.deliver', 'callbacks.endpoint')))::double precision
    from due
  $$;
revoke execute on function job_delays from public;
grant execute on function job_delays to hengfu_system;
