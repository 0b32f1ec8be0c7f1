-- Adds changes to the rollup, all in one statement, and to the sums of closed days. A transaction first locks its stripe of each
-- merchant, in the merchants' order: then no two transactions lock rows of a stripe at the same time, and however many orders
-- they move, in whatever order, they do not deadlock.
create or replace function add_to_rollup(changes order_rollup_change[]) returns void
  language plpgsql volatile
  as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(format('rollup %s %s', merchant_id, rollup_stripe()), 0))
    from (select distinct merchant_id from unnest(changes) order by merchant_id) merchants;
  insert into order_rollup as r (merchant_id, kind, axis, currency, bucket, channel, status, settlement_status, stripe,
    orders, amount_minor, fee_minor)
  select merchant_id, kind, axis, currency, bucket, channel, status, settlement_status, rollup_stripe(),
    sum(orders), sum(amount_minor), sum(fee_minor)
  from unnest(changes) group by 1, 2, 3, 4, 5, 6, 7, 8
  on conflict on constraint order_rollup_pkey do update set
    orders = r.orders + excluded.orders,
    amount_minor = r.amount_minor + excluded.amount_minor,
    fee_minor = r.fee_minor + excluded.fee_minor;
  -- A day is closed at least a day after its end.
  if (select min(bucket) from unnest(changes)) < now() - interval '1 day' then
    perform adjust_closed_days(changes);
  end if;
end $$;
