-- Claims a merchant's next job for a worker, or returns none. Skips targets whose breaker is open, and targets
-- that have reached their limit of concurrent jobs. Does not wait for a breaker that another transaction is updating,
-- because that would delay the claims of all merchants.
create or replace function claim_job_of_merchant(
  line_name text, worker_id uuid, merchant bigint, per_target integer, per_host integer,
  lease_seconds integer
) returns merchant_job
  language plpgsql volatile set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  as $$
declare
  first_lane bigint := ((random() - 0.5) * 1.8e19)::bigint;
  behind bigint := first_lane;
  has_wrapped boolean := false;
  is_failing boolean;
  at_target integer;
  at_host integer;
  is_at_target boolean;
  is_at_host boolean;
  next_job merchant_job;
  job merchant_job;
begin
  for look in 1..64 loop
    select * into next_job from merchant_job j
      where j.line = line_name and j.merchant_id = merchant and j.worker is null and j.lane > behind
      order by j.lane, j.due_at limit 1;
    if next_job.id is null or (has_wrapped and next_job.lane > first_lane) then
      exit when has_wrapped;
      has_wrapped := true;
      behind := -9223372036854775808;
      continue;
    end if;
    behind := next_job.lane;
    continue when next_job.due_at > now();
    select count(*) filter (where j.target = next_job.target), count(*) filter (where j.host = next_job.host),
        coalesce(bool_or(j.target = next_job.target and j.merchant_id = merchant), false),
        coalesce(bool_or(j.host = next_job.host and j.merchant_id = merchant), false)
      into at_target, at_host, is_at_target, is_at_host
      from merchant_job j where j.worker = worker_id and j.line = line_name;
    continue when next_job.target <> '' and at_target >= case when is_at_target then per_target * 2 / 3 else per_target end;
    continue when next_job.host <> '' and at_host >= case when is_at_host then per_host * 2 / 3 else per_host end;
    is_failing := exists (
      select from merchant_breaker b
      where b.merchant_id = merchant and b.target = next_job.target and b.open_until is not null);
    if is_failing then
      -- The first claim probes the target. If its worker dies, another one probes it a lease later.
      update merchant_breaker b set open_until = now() + lease_seconds * interval '1 second'
        where b.ctid = (
          select w.ctid from merchant_breaker w
          where w.merchant_id = merchant and w.target = next_job.target and w.open_until <= now() for update skip locked);
      continue when not found;
    end if;
    update merchant_job set worker = worker_id, claimed_at = now(), attempts = attempts + 1, is_trial = is_failing,
        leased_until = now() + lease_seconds * interval '1 second'
      where id = (
        select j.id from merchant_job j
        where j.line = line_name and j.merchant_id = merchant and j.worker is null and j.lane = next_job.lane
          and j.due_at <= now()
        order by j.due_at limit 1 for update skip locked)
      returning * into job;
    exit when job.id is not null;
  end loop;
  return job;
end $$;
revoke execute on function claim_job_of_merchant from public;
grant execute on function claim_job_of_merchant to hengfu_system;
