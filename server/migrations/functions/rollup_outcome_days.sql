-- The running sums of outcomes of a merchant's days, computed from the buckets; only days and channels that have any orders.
create or replace function rollup_outcome_days(merchant bigint, first_day date, last_day date)
  returns setof order_outcome_day
  language sql stable
  as $$
    with buckets as materialized (
      select kind, currency, (bucket at time zone 'UTC')::date as day, channel,
        (extract(epoch from bucket)::bigint / 900 % 96)::integer as quarter,
        case order_outcome(status) when 'succeeded' then orders else 0 end as succeeded,
        case order_outcome(status) when 'lost' then orders else 0 end as lost
      from order_rollup
      where merchant_id = merchant and axis = 'created' and bucket >= first_day::timestamp at time zone 'UTC'
        and bucket < (last_day + 1)::timestamp at time zone 'UTC'
    ), quarters as (
      select kind, currency, day, channel, quarter, sum(succeeded) as succeeded, sum(lost) as lost
      from (
        select * from buckets
        union all
        select kind, currency, day, channel, quarter, 0, 0
        from (select distinct kind, currency, day, channel from buckets) days
        cross join generate_series(0, 95) as quarter) every
      group by kind, currency, day, channel, quarter
    ), running as (
      select kind, currency, day, channel, quarter, (sum(succeeded) over so_far)::bigint as succeeded,
        (sum(lost) over so_far)::bigint as lost
      from quarters window so_far as (partition by kind, currency, day, channel order by quarter)
    )
    select merchant, kind, currency, day, channel, array[0::bigint] || array_agg(succeeded order by quarter),
      array[0::bigint] || array_agg(lost order by quarter)
    from running group by kind, currency, day, channel
  $$;
