-- needed by tables
-- Counts new payouts in the rollup, and moves changed ones to their new rows.
create or replace function roll_up_payouts() returns trigger
  language plpgsql volatile
  as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_rollup(array(
      select keys from after o
      cross join lateral order_rollup_keys(o.merchant_id, 'payout', o.currency, o.created_at, o.paid_at,
        o.channel, o.status, null, o.amount_minor, o.fee_minor) keys));
  else
    -- Summed here: a settlement changes a hundred thousand orders at once, in a few hundred rows of the rollup.
    perform add_to_rollup(array(
      select row(merchant_id, kind, axis, currency, bucket, channel, status, settlement_status, sum(sign * orders),
        sum(sign * amount_minor), sum(sign * fee_minor))::order_rollup_change
      from (
        select -1 as sign, keys.* from before o
        cross join lateral order_rollup_keys(o.merchant_id, 'payout', o.currency, o.created_at, o.paid_at,
        o.channel, o.status, null, o.amount_minor, o.fee_minor) keys
        union all
        select 1, keys.* from after o
        cross join lateral order_rollup_keys(o.merchant_id, 'payout', o.currency, o.created_at, o.paid_at,
        o.channel, o.status, null, o.amount_minor, o.fee_minor) keys) moves
      group by merchant_id, kind, axis, currency, bucket, channel, status, settlement_status
      having sum(sign * orders) <> 0 or sum(sign * amount_minor) <> 0 or sum(sign * fee_minor) <> 0));
  end if;
  return null;
end $$;
