-- Returns jobs whose lease has expired to the queue: their worker is dead or was cut off. Returns how many.
create or replace function release_merchant_jobs() returns integer
  language plpgsql volatile set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  as $$
declare
  expired bigint;
  released integer := 0;
begin
  for expired in
    select id from merchant_job where worker is not null and leased_until < now() order by id for update skip locked
  loop
    perform return_merchant_job(expired, now(), null);
    released := released + 1;
  end loop;
  return released;
end $$;
revoke execute on function release_merchant_jobs from public;
grant execute on function release_merchant_jobs to hengfu_system;
