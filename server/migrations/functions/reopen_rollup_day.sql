-- needed by tables
-- Deletes a closed day whose buckets change, for example when demo data is written; the buckets are read again instead.
create or replace function reopen_rollup_day() returns trigger
  language plpgsql volatile
  as $$
begin
  perform lock_closed_days(new.merchant_id);
  delete from order_rollup_day where merchant_id = new.merchant_id and kind = new.kind and currency = new.currency
    and day = (new.bucket at time zone 'UTC')::date;
  return null;
end $$;
