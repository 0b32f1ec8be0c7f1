-- needed by tables
-- Refuses to begin a refund that waits for approval by its merchant, or did not get it, whichever process tries.
create or replace function hold_unapproved_part() returns trigger
  language plpgsql volatile
  as $$
begin
  raise exception 'the refund % is not approved', new.refund_no
    using errcode = 'check_violation', constraint = 'refund_is_approved', table = 'refund';
end $$;
