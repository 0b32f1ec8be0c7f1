-- needed by tables
-- Whether one of some order numbers belongs to the other mode of a merchant: to its test merchant, or to its live one. Numbers are ours or
-- the merchant's own.
create or replace function is_of_other_mode(of_merchant bigint, numbers text[]) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
declare
  other bigint := (
    select o.id from merchant m join merchant o on o.id = m.live_merchant_id or (o.live_merchant_id = m.id and o.retired_at is null)
    where m.id = of_merchant);
begin
  return other is not null and (
    exists (select from collection c where c.merchant_id = other and c.trade_no = any (numbers))
    or exists (select from collection c where c.merchant_id = other and c.out_trade_no = any (numbers))
    or exists (select from payout p where p.merchant_id = other and p.trade_no = any (numbers))
    or exists (select from payout p where p.merchant_id = other and p.out_trade_no = any (numbers))
    or exists (select from refund r where r.merchant_id = other and r.refund_no = any (numbers))
    or exists (select from refund r where r.merchant_id = other and r.out_refund_no = any (numbers)));
end $$;
