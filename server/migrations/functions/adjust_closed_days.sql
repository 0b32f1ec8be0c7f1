-- needed by tables
-- Adds a change of an old bucket to the sums of its day and month, if the day is closed: an order may be settled, or
-- refunded, years later. The day's running sums do not tell states apart. If they no longer agree with the bucket, because
-- something was written at an earlier time (demo data), they are deleted, and the buckets are read instead.
create or replace function adjust_closed_days() returns trigger
  language plpgsql volatile
  as $$
declare
  changed_day date := (new.bucket at time zone 'UTC')::date;
  quarter integer := extract(epoch from new.bucket)::bigint / 900 % 96;
  -- The merchant and its last closed day, once the transaction holds the lock: a settlement changes hundreds of buckets.
  known text := current_setting('app.closed_through', true);
begin
  if known is null or split_part(known, ' ', 1) <> new.merchant_id::text then
    perform lock_closed_days(new.merchant_id);
    known := new.merchant_id || ' ' || coalesce(
      (select closed_through from order_rollup_closing where merchant_id = new.merchant_id), '-infinity');
    perform set_config('app.closed_through', known, true);
  end if;
  if changed_day > split_part(known, ' ', 2)::date then
    return null;
  end if;
  insert into order_rollup_period as p
  select new.merchant_id, new.kind, new.axis, new.currency, period, starts_on, new.channel, new.status,
    new.settlement_status, new.orders - coalesce(old.orders, 0), new.amount_minor - coalesce(old.amount_minor, 0),
    new.fee_minor - coalesce(old.fee_minor, 0)
  from (values ('day', changed_day), ('month', date_trunc('month', changed_day::timestamp)::date)) sums (period, starts_on)
  on conflict (merchant_id, kind, axis, currency, period, starts_on, channel, status, settlement_status) do update set
    orders = p.orders + excluded.orders,
    amount_minor = p.amount_minor + excluded.amount_minor,
    fee_minor = p.fee_minor + excluded.fee_minor;
  if new.axis = 'paid' then
    delete from order_rollup_day d using (
      select sum(r.orders) as orders, sum(r.amount_minor) as amount, sum(r.fee_minor) as fee from order_rollup r
      where r.merchant_id = new.merchant_id and r.kind = new.kind and r.axis = 'paid' and r.currency = new.currency
        and r.bucket = new.bucket) b
    where d.merchant_id = new.merchant_id and d.kind = new.kind and d.currency = new.currency and d.day = changed_day
      and (d.done_counts[quarter + 2] - d.done_counts[quarter + 1],
          d.done_amounts_minor[quarter + 2] - d.done_amounts_minor[quarter + 1],
          d.fees_minor[quarter + 2] - d.fees_minor[quarter + 1])
        is distinct from (b.orders, b.amount, b.fee);
  end if;
  return null;
end $$;
