-- The running sums of a merchant's days, computed from the buckets; only days that have any.
create or replace function rollup_days(merchant bigint, first_day date, last_day date)
  returns setof order_rollup_day
  language sql stable
  as $$
    with buckets as materialized (
      select kind, currency, (bucket at time zone 'UTC')::date as day,
        (extract(epoch from bucket)::bigint / 900 % 96)::integer as quarter, orders, amount_minor, fee_minor
      from order_rollup
      where merchant_id = merchant and axis = 'paid' and bucket >= first_day::timestamp at time zone 'UTC'
        and bucket < (last_day + 1)::timestamp at time zone 'UTC'
    ), quarters as (
      select kind, currency, day, quarter, sum(orders) as done, sum(amount_minor) as amount, sum(fee_minor) as fee
      from (
        select * from buckets
        union all
        select kind, currency, day, quarter, 0, 0, 0
        from (select distinct kind, currency, day from buckets) days cross join generate_series(0, 95) as quarter) every
      group by kind, currency, day, quarter
    ), running as (
      select kind, currency, day, quarter, (sum(done) over so_far)::bigint as done, (sum(amount) over so_far)::bigint as amount,
        (sum(fee) over so_far)::bigint as fee
      from quarters window so_far as (partition by kind, currency, day order by quarter)
    )
    select merchant, kind, currency, day, array[0::bigint] || array_agg(done order by quarter),
      array[0::bigint] || array_agg(amount order by quarter), array[0::bigint] || array_agg(fee order by quarter)
    from running group by kind, currency, day
  $$;
