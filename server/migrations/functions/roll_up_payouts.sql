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
    perform add_to_rollup(array(
      select row(keys.merchant_id, kind, axis, keys.currency, bucket, keys.channel, keys.status, keys.settlement_status,
        sum(sign * orders), sum(sign * keys.amount_minor), sum(sign * keys.fee_minor))::order_rollup_change
      from (select -1 as sign, * from before union all select 1, * from after) o
      cross join lateral order_rollup_keys(o.merchant_id, 'payout', o.currency, o.created_at, o.paid_at,
        o.channel, o.status, null, o.amount_minor, o.fee_minor) keys
      group by keys.merchant_id, kind, axis, keys.currency, bucket, keys.channel, keys.status, keys.settlement_status
      having (sum(sign * orders), sum(sign * keys.amount_minor), sum(sign * keys.fee_minor)) <> (0, 0, 0)));
  end if;
  return null;
end $$;
