-- Returns the key of a job for the queue. A job replaces a waiting one with the same key, so the back office can only use the key that its task
-- has for the order, batch or callback in the payload: otherwise it could remove the jobs of other merchants.
create or replace function job_key_for_role(task text, payload json, job_key text) returns text
  language plpgsql stable
  as $$
declare
  subject text := coalesce(payload ->> 'tradeNo', payload ->> 'batchNo', payload ->> 'id', payload ->> 'merchantId');
  prefix text := case task
    when 'payouts.send' then 'send'
    when 'payouts.ask' then 'ask-payout'
    when 'payouts.outcome' then 'outcome'
    when 'payouts.batch' then 'batch'
    when 'collections.ask' then 'ask'
    when 'callbacks.deliver' then 'callback'
    when 'callbacks.endpoint' then 'callback'
    else task end;
begin
  -- The login, and not the current role, because this runs within a function of the owner's.
  if pg_has_role(session_user, 'hengfu_staff', 'member') and not pg_has_role(session_user, 'hengfu_system', 'member')
    and (job_key = prefix || ':' || subject
      and (subject !~ '^[A-Z]\d{21}$' or lane_of_number(subject) = merchant_lane(current_merchant()))) is not true
  then
    raise insufficient_privilege using message = format('the back office cannot use the key %s', job_key);
  end if;
  return job_key;
end $$;
revoke execute on function job_key_for_role from public;
