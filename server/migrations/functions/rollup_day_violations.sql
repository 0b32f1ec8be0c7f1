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
  $$;
