-- needed by tables
-- Refuses to send a payout of a suspended merchant, or one that is not approved, whichever process tries. It stays pending,
-- and is planned again when the merchant is reactivated, or when it is approved.
create or replace function hold_unsent_payout() returns trigger
  language plpgsql volatile
  as $$
begin
  perform assert_serves_mode(new.merchant_id);
  if new.approval_state <> 'approved' then
    raise exception 'payout % is not approved', new.trade_no
      using errcode = 'check_violation', constraint = 'payout_is_approved', table = 'payout';
  end if;
  if hold_standing(new.merchant_id) then
    raise exception 'the merchant is suspended: payout % is held', new.trade_no
      using errcode = 'check_violation', constraint = 'payout_of_active_merchant', table = 'payout';
  end if;
  return new;
end $$;
