-- The sums of a merchant's UTC days by the keys of order_rollup, computed from the buckets; only keys that have any orders.
create or replace function rollup_day_sums(merchant bigint, first_day date, last_day date)
  returns setof order_rollup_period
  language sql stable
  as $$
    select merchant, kind, axis, currency, 'day', (bucket at time zone 'UTC')::date, channel, status, settlement_status,
      sum(orders)::bigint, sum(amount_minor)::bigint, sum(fee_minor)::bigint
    from order_rollup
    where merchant_id = merchant and bucket >= first_day::timestamp at time zone 'UTC'
      and bucket < (last_day + 1)::timestamp at time zone 'UTC'
    group by kind, axis, currency, 6, channel, status, settlement_status
    having sum(orders) <> 0 or sum(amount_minor) <> 0 or sum(fee_minor) <> 0
  $$;
