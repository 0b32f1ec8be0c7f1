-- Adds changes that order_rollup has received to the sums of their days and months, as far as the days are closed: an order may
-- be settled, or refunded, years later. A day's running sums do not tell states apart. If they no longer agree with a bucket,
-- because something was written at an earlier time (demo data), they are deleted, and the buckets are read instead. Likewise the
-- running sums of outcomes, if an order of that day succeeds or fails only now.
create or replace function adjust_closed_days(changes order_rollup_change[]) returns void
  language plpgsql volatile
  as $$
begin
  perform lock_closed_days(merchant_id)
    from (select distinct merchant_id from unnest(changes) order by merchant_id) merchants;
  -- Read now that the locks are held.
  changes := array(
    select change from unnest(changes) change join order_rollup_closing closing using (merchant_id)
    where (bucket at time zone 'UTC')::date <= closed_through);
  insert into order_rollup_period as p
  select merchant_id, kind, axis, currency, period, starts_on, channel, status, settlement_status,
    sum(orders), sum(amount_minor), sum(fee_minor)
  from unnest(changes)
  cross join lateral (values ('day', (bucket at time zone 'UTC')::date),
    ('month', date_trunc('month', bucket at time zone 'UTC')::date)) sums (period, starts_on)
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9
  on conflict on constraint order_rollup_period_pkey do update set
    orders = p.orders + excluded.orders,
    amount_minor = p.amount_minor + excluded.amount_minor,
    fee_minor = p.fee_minor + excluded.fee_minor;
  delete from order_rollup_day d
    using (select distinct merchant_id, kind, currency, bucket, (bucket at time zone 'UTC')::date as day,
        (extract(epoch from bucket)::bigint / 900 % 96)::integer as quarter
      from unnest(changes) where axis = 'paid') c
    cross join lateral (
      select sum(r.orders) as orders, sum(r.amount_minor) as amount, sum(r.fee_minor) as fee from order_rollup r
      where r.merchant_id = c.merchant_id and r.kind = c.kind and r.axis = 'paid' and r.currency = c.currency
        and r.bucket = c.bucket) b
    where d.merchant_id = c.merchant_id and d.kind = c.kind and d.currency = c.currency and d.day = c.day
      and (d.done_counts[quarter + 2] - d.done_counts[quarter + 1],
          d.done_amounts_minor[quarter + 2] - d.done_amounts_minor[quarter + 1],
          d.fees_minor[quarter + 2] - d.fees_minor[quarter + 1])
        is distinct from (b.orders, b.amount, b.fee);
  -- All channels of a day and kind, because readers take either its sums or its buckets.
  delete from order_outcome_day d
    using (select distinct merchant_id, kind, currency, (bucket at time zone 'UTC')::date as day
      from unnest(changes) where axis = 'created'
      group by merchant_id, kind, currency, bucket, channel
      having sum(orders) filter (where order_outcome(status) = 'succeeded') <> 0
        or sum(orders) filter (where order_outcome(status) = 'lost') <> 0) c
    where d.merchant_id = c.merchant_id and d.kind = c.kind and d.currency = c.currency and d.day = c.day;
end $$;
