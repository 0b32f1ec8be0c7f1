-- Claims up to `free` jobs of a line for a worker, one merchant after the other, starting after `after_merchant`.
-- `reserved` slots are kept for merchants that hold none in this line.
create or replace function claim_merchant_jobs(
  line_name text, worker_id uuid, free integer, reserved integer, per_merchant integer, per_target integer,
  per_host integer, after_merchant bigint, lease_seconds integer
) returns setof merchant_job
  language plpgsql volatile set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  as $$
declare
  merchant bigint := after_merchant;
  following bigint;
  has_wrapped boolean := false;
  claimed integer := 0;
  held integer;
  job merchant_job;
begin
  while free > 0 loop
    select j.merchant_id into following from merchant_job j
      where j.line = line_name and j.worker is null and j.merchant_id > merchant
      order by j.merchant_id limit 1;
    if following is null or (has_wrapped and following > after_merchant) then
      -- End of a round. Start another one only if this one claimed a job.
      exit when has_wrapped and claimed = 0;
      if has_wrapped then
        claimed := 0;
        has_wrapped := false;
        merchant := after_merchant;
      else
        has_wrapped := true;
        merchant := -1;
      end if;
      continue;
    end if;
    merchant := following;
    select count(*) into held from merchant_job j
      where j.worker = worker_id and j.line = line_name and j.merchant_id = merchant;
    continue when held >= per_merchant or (held > 0 and free <= reserved);
    job := claim_job_of_merchant(line_name, worker_id, merchant, per_target, per_host, lease_seconds);
    continue when job.id is null;
    free := free - 1;
    claimed := claimed + 1;
    return next job;
  end loop;
end $$;
revoke execute on function claim_merchant_jobs from public;
grant execute on function claim_merchant_jobs to hengfu_system;
