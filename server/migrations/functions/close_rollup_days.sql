-- Stores the running sums of a merchant's days that have passed since the last call. Returns how many.
create or replace function close_rollup_days(merchant bigint) returns integer
  language plpgsql volatile
  as $$
declare
  first_day date;
  closed integer;
begin
  perform lock_closed_days(merchant);
  -- Checked again, now that the lock is held.
  first_day := coalesce(
    (select max(day) + 1 from order_rollup_day where merchant_id = merchant),
    (select (min(bucket) at time zone 'UTC')::date from order_rollup where merchant_id = merchant));
  insert into order_rollup_day
    select * from rollup_days(merchant, first_day, (now() at time zone 'UTC')::date - 2) on conflict do nothing;
  get diagnostics closed = row_count;
  return closed;
end $$;
