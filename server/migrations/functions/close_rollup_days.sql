-- Stores the sums of a merchant's days that have passed since the last call. Returns how many rows of running sums.
create or replace function close_rollup_days(merchant bigint) returns integer
  language plpgsql volatile
  as $$
declare
  first_day date;
  last_day date := (now() at time zone 'UTC')::date - 2;
  closed integer;
begin
  perform lock_closed_days(merchant);
  -- Read now that the lock is held.
  first_day := coalesce(
    (select closed_through + 1 from order_rollup_closing where merchant_id = merchant),
    (select (min(bucket) at time zone 'UTC')::date from order_rollup where merchant_id = merchant));
  insert into order_rollup_day
    select * from rollup_days(merchant, first_day, last_day) on conflict do nothing;
  get diagnostics closed = row_count;
  insert into order_outcome_day
    select * from rollup_outcome_days(merchant, first_day, last_day) on conflict do nothing;
  with days as (
    insert into order_rollup_period select * from rollup_day_sums(merchant, first_day, last_day) returning *
  )
  insert into order_rollup_period as p
    select merchant_id, kind, axis, currency, 'month', date_trunc('month', starts_on::timestamp)::date, channel, status,
      settlement_status, sum(orders), sum(amount_minor), sum(fee_minor)
    from days group by 1, 2, 3, 4, 6, 7, 8, 9
    on conflict (merchant_id, kind, axis, currency, period, starts_on, channel, status, settlement_status) do update set
      orders = p.orders + excluded.orders,
      amount_minor = p.amount_minor + excluded.amount_minor,
      fee_minor = p.fee_minor + excluded.fee_minor;
  insert into order_rollup_closing values (merchant, last_day)
    on conflict (merchant_id) do update set closed_through = greatest(order_rollup_closing.closed_through, last_day);
  return closed;
end $$;
