-- The installation's own jobs: how many are due, run, and have failed, each counted up to a limit, and how long the oldest due
-- one has waited, in seconds; null if none is due. A recurring job whose last run failed counts as one that has failed.
create or replace function staff_own_jobs(counted integer)
  returns table (waiting integer, running integer, failed integer, oldest_seconds double precision)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    with due as (
      select run_at from graphile_worker._private_jobs
      where is_available and run_at <= now()
      order by priority, run_at limit counted),
    lost as (
      select from graphile_worker._private_jobs
      where last_error is not null and (key is not null or attempts < max_attempts)
      union all
      select from failing_task f
      where not exists (select from graphile_worker._private_jobs j where j.key = f.task and j.last_error is not null)
      limit counted)
    select (select count(*) from due)::integer,
      (select count(*) from (select from graphile_worker._private_jobs where locked_at is not null limit counted) held)::integer,
      (select count(*) from lost)::integer,
      (select extract(epoch from now() - min(run_at)) from due)::double precision
  $$;
revoke execute on function staff_own_jobs from public;
grant execute on function staff_own_jobs to hengfu_staff;
