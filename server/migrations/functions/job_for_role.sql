-- Returns the name of a task for the queue. The back office can have the next step of an order done, a callback sent, and the work done
-- that waited for the end of a suspension, for the merchant of its transaction; any other job is refused there.
create or replace function job_for_role(task text, payload json) returns text
  language plpgsql stable
  as $$
begin
  -- The login, and not the current role, because this runs within a function of the owner's.
  if pg_has_role(session_user, 'hengfu_staff', 'member') and not pg_has_role(session_user, 'hengfu_system', 'member')
    and (task not in ('payouts.send', 'payouts.ask', 'payouts.outcome', 'payouts.release', 'payouts.batch',
        'payouts.resumeBatches', 'collections.ask', 'callbacks.deliver', 'callbacks.endpoint')
      or (payload ->> 'merchantId' = current_merchant()::text) is not true)
  then
    raise insufficient_privilege using message = format('the back office cannot enqueue %s', task);
  end if;
  return task;
end $$;
revoke execute on function job_for_role from public;
