-- needed by tables
-- Refuses work with a channel for a test merchant, unless the transaction says that its process knows test mode (database.ts). One of the
-- version before, which still runs during an upgrade, would send test orders to the bank that serves live ones. Its job is tried again.
create or replace function assert_serves_mode(of_merchant bigint) returns void
  language plpgsql volatile
  as $$
begin
  if current_setting('app.knows_test_mode', true) is distinct from 'on' then
    -- A statement of its own: processes that know test mode do not pay for the look-up.
    if is_test_merchant(of_merchant) then
      raise exception 'this process does not know test mode'
        using errcode = 'check_violation', constraint = 'served_in_test_mode';
    end if;
  end if;
end $$;
