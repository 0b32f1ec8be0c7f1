-- Releases a job to run again at an instant, and stores its error, if any. If a job with the same key is moved out of the
-- queue concurrently, the update waits for that transaction, and the newer job takes this one's place. A job of a retired
-- merchant ends.
create or replace function return_merchant_job(job_id bigint, at timestamptz, error text) returns void
  language plpgsql volatile set search_path = public, pg_temp
  as $$
begin
  delete from merchant_job j
    where j.id = job_id and (exists (select from merchant_job w where w.key = j.key and w.worker is null)
      or exists (select from merchant m where m.id = j.merchant_id and m.retired_at is not null));
  update merchant_job set worker = null, claimed_at = null, leased_until = null, due_at = at, last_error = coalesce(error, last_error)
    where id = job_id;
exception when unique_violation then
  delete from merchant_job where id = job_id;
end $$;
revoke execute on function return_merchant_job from public;
grant execute on function return_merchant_job to hengfu_system;
