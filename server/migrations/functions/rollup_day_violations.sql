-- Returns one row per inconsistency between closed days and their buckets; none if all is well.
create or replace function rollup_day_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'closed_day_is_sum_of_buckets', format('merchant %s %s %s %s', c.merchant_id, c.kind, c.currency, c.day)
      from order_rollup_day c
      left join (
        select d.* from merchant m cross join lateral rollup_days(m.id, date '2000-01-01', (now() at time zone 'UTC')::date) d
      ) b using (merchant_id, kind, currency, day)
      where (c.done_counts, c.done_amounts_minor, c.fees_minor)
        is distinct from (b.done_counts, b.done_amounts_minor, b.fees_minor)
    union all
    select 'closed_outcomes_are_sums_of_buckets', format('merchant %s %s %s %s %s', c.merchant_id, c.kind, c.currency, c.day,
        c.channel)
      from order_outcome_day c
      left join (
        select d.* from merchant m
        cross join lateral rollup_outcome_days(m.id, date '2000-01-01', (now() at time zone 'UTC')::date) d
      ) b using (merchant_id, kind, currency, day, channel)
      where (c.succeeded_counts, c.lost_counts) is distinct from (b.succeeded_counts, b.lost_counts)
    union all
    select 'closed_period_is_sum_of_buckets', format('merchant %s %s %s %s %s %s: %s %s %s', merchant_id, kind, axis, currency,
        period, starts_on, channel, status, settlement_status)
      from (select * from order_rollup_period where (orders, amount_minor, fee_minor) <> (0, 0, 0)) p
      full join (
        with days as (
          select d.* from order_rollup_closing c
          cross join lateral rollup_day_sums(c.merchant_id, date '2000-01-01', c.closed_through) d)
        select * from days
        union all
        select merchant_id, kind, axis, currency, 'month', date_trunc('month', starts_on::timestamp)::date, channel, status,
          settlement_status, sum(orders), sum(amount_minor), sum(fee_minor)
        from days group by 1, 2, 3, 4, 6, 7, 8, 9
        having (sum(orders), sum(amount_minor), sum(fee_minor)) <> (0, 0, 0)
      ) b using (merchant_id, kind, axis, currency, period, starts_on, channel, status, settlement_status)
      where (p.orders, p.amount_minor, p.fee_minor) is distinct from (b.orders, b.amount_minor, b.fee_minor)
  $$;
