-- needed by tables
-- The merchants of the current transaction: those of `app.merchant_ids` (an array as text), or the one of
-- `app.merchant_id`; null if none is set. Only functions owned by hengfu_intake and hengfu_ledger see rows of several;
-- hengfu_app sees none unless a single merchant is set.
create or replace function current_merchants() returns bigint[]
  language sql stable parallel safe
  as $$
    select coalesce(nullif(current_setting('app.merchant_ids', true), '')::bigint[], array[current_merchant()])
  $$;
