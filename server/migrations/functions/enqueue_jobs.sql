-- Adds many jobs of one kind, due now: job i has payloads[i] and keys[i].
create or replace function enqueue_jobs(task text, payloads json[], keys text[], max_attempts integer)
  returns void
  language sql volatile security definer set search_path = quiet, pg_catalog, public, pg_temp
  set plan_cache_mode = force_generic_plan
  as $$
    select graphile_worker.add_jobs(array(
      select (task, payload, null, now(), max_attempts::smallint, key, null, null)::graphile_worker.job_spec
      from unnest(payloads, keys) as job (payload, key)))
  $$;
revoke execute on function enqueue_jobs from public;
grant execute on function enqueue_jobs to hengfu_app, hengfu_intake, hengfu_system;
