-- As before, and without a failure where a job under the same key is moved out of the queue at the same time: the update
-- waits for the other transaction, and the job that came later takes this one's place, as where it had come before.
create or replace function return_merchant_job(job_id bigint, at timestamptz, error text) returns void
  language plpgsql volatile set search_path = public, pg_temp
  as $$
begin
  delete from merchant_job j
    where j.id = job_id and exists (select from merchant_job w where w.key = j.key and w.worker is null);
  update merchant_job set worker = null, claimed_at = null, leased_until = null, due_at = at, last_error = coalesce(error, last_error)
    where id = job_id;
exception when unique_violation then
  delete from merchant_job where id = job_id;
end $$;
