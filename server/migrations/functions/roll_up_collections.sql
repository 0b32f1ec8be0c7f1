-- needed by tables
-- Counts new collections in the rollup, and moves changed ones to their new rows.
create or replace function roll_up_collections() returns trigger
  language plpgsql volatile
  as $$
begin
  if tg_op = 'INSERT' and (select count(*) from after) = 1 then
    -- Without add_to_rollup, because this is in the path of every create. It needs no lock: a transaction that creates
    -- orders changes no others, and its rows are in one order.
    -- Nor does it need the grouping below, which takes half the time.
    insert into order_rollup as r
    select keys.merchant_id, keys.kind, axis, keys.currency, bucket, keys.channel, keys.status, keys.settlement_status,
      rollup_stripe(), orders, keys.amount_minor, keys.fee_minor
    from after o
    cross join lateral order_rollup_keys(o.merchant_id, 'collection', o.currency, o.created_at, o.paid_at,
      o.channel, o.status, o.settlement_status, o.amount_minor, o.fee_minor) keys
    on conflict (merchant_id, kind, axis, currency, bucket, channel, status, settlement_status, stripe) do update set
      orders = r.orders + excluded.orders,
      amount_minor = r.amount_minor + excluded.amount_minor,
      fee_minor = r.fee_minor + excluded.fee_minor;
  elsif tg_op = 'INSERT' then
    insert into order_rollup as r
    select keys.merchant_id, keys.kind, axis, keys.currency, bucket, keys.channel, keys.status, keys.settlement_status,
      rollup_stripe(), sum(orders), sum(keys.amount_minor), sum(keys.fee_minor)
    from after o
    cross join lateral order_rollup_keys(o.merchant_id, 'collection', o.currency, o.created_at, o.paid_at,
      o.channel, o.status, o.settlement_status, o.amount_minor, o.fee_minor) keys
    group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2, 3, 4, 5, 6, 7, 8
    on conflict (merchant_id, kind, axis, currency, bucket, channel, status, settlement_status, stripe) do update set
      orders = r.orders + excluded.orders,
      amount_minor = r.amount_minor + excluded.amount_minor,
      fee_minor = r.fee_minor + excluded.fee_minor;
  else
    -- Summed here: a settlement changes a hundred thousand orders at once, in a few hundred rows of the rollup.
    perform add_to_rollup(array(
      select row(merchant_id, kind, axis, currency, bucket, channel, status, settlement_status, sum(sign * orders),
        sum(sign * amount_minor), sum(sign * fee_minor))::order_rollup_change
      from (
        select -1 as sign, keys.* from before o
        cross join lateral order_rollup_keys(o.merchant_id, 'collection', o.currency, o.created_at, o.paid_at,
        o.channel, o.status, o.settlement_status, o.amount_minor, o.fee_minor) keys
        union all
        select 1, keys.* from after o
        cross join lateral order_rollup_keys(o.merchant_id, 'collection', o.currency, o.created_at, o.paid_at,
        o.channel, o.status, o.settlement_status, o.amount_minor, o.fee_minor) keys) moves
      group by merchant_id, kind, axis, currency, bucket, channel, status, settlement_status
      having sum(sign * orders) <> 0 or sum(sign * amount_minor) <> 0 or sum(sign * fee_minor) <> 0));
  end if;
  return null;
end $$;
