-- needed by tables
-- Refuses to send a payout of a suspended merchant, whichever process tries. It stays pending, and is planned again when
-- the merchant is reactivated.
create or replace function hold_unsent_payout() returns trigger
  language plpgsql volatile
  as $$
begin
  if hold_standing(new.merchant_id) then
    raise exception 'the merchant is suspended: payout % is held', new.trade_no
      using errcode = 'check_violation', constraint = 'payout_of_active_merchant', table = 'payout';
  end if;
  return new;
end $$;
