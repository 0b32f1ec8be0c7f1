-- needed by tables
-- Refuses to approve or pay a withdrawal that waits for approval by its merchant, or did not get it, whichever process tries.
create or replace function hold_unapproved_withdrawal() returns trigger
  language plpgsql volatile
  as $$
begin
  if new.approval_state <> 'approved' then
    raise exception 'withdrawal % is not approved', new.trade_no
      using errcode = 'check_violation', constraint = 'withdrawal_is_approved', table = 'withdrawal';
  end if;
  return new;
end $$;
