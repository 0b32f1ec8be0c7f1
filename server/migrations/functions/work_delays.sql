-- How long the oldest due job, and the oldest due callback, have waited for a worker, in seconds; null if none is due. Jobs
-- that wait behind others of their merchant, or for a server that does not respond, delay nobody else and are excluded,
-- except for calls to channels: a waiting payout is late, whatever the reason.
create or replace function work_delays()
  returns table (job_seconds double precision, callback_seconds double precision)
  language sql stable set search_path = public, pg_temp
  as $$
    with waiting as (
      select j.line = 'callbacks' as is_callback, min(j.due_at) as due_at
      from merchant_job j
      where j.worker is null and j.due_at <= now()
        and (j.line = 'channels' or not exists (
          select from merchant_job h where h.worker is not null and h.line = j.line and h.merchant_id = j.merchant_id))
        and not exists (
          select from merchant_breaker b
          where b.merchant_id = j.merchant_id and b.target = j.target and b.open_until is not null)
      group by 1)
    select greatest(d.job_seconds, extract(epoch from now() - (select min(due_at) from waiting)))::double precision,
      greatest(d.callback_seconds,
        extract(epoch from now() - (select min(due_at) from waiting where is_callback)))::double precision
    from job_delays() d
  $$;
revoke execute on function work_delays from public;
grant execute on function work_delays to hengfu_system;
