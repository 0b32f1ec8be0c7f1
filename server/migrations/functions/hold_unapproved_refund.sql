-- needed by tables
-- Refuses to begin a refund that waits for approval by its merchant, or did not get it, whichever process tries.
create or replace function hold_unapproved_refund() returns trigger
  language plpgsql volatile
  as $$
begin
  raise exception 'the refund of % is not approved', new.trade_no
    using errcode = 'check_violation', constraint = 'refund_is_approved', table = 'collection';
end $$;
