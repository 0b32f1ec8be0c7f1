-- Finds the earlier payout that a new one of the same amount to the same account may duplicate: one with an unknown
-- outcome, however old, or else the latest of the past hours that was not rejected. This is the only implementation of the
-- rule. The planner inlines it into the calling statement, where an index finds the payout.
create or replace function similar_payout(
  of_merchant bigint, of_account text, of_amount bigint, hours integer
) returns setof payout
  language sql stable
  as $$
  select p.* from payout p
  where p.merchant_id = of_merchant and p.account_key = of_account and p.amount_minor = of_amount
    and (p.status = 'pendingSettlement'
      or (p.status <> 'rejected' and p.created_at > now() - hours * interval '1 hour'))
  order by (p.status = 'pendingSettlement') desc, p.created_at desc, p.id desc limit 1
$$;
revoke execute on function similar_payout from public;
grant execute on function similar_payout to hengfu_app, hengfu_intake, hengfu_system;
