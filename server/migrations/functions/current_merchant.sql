-- needed by tables
-- The merchant of the current transaction; null if none is set, so no rows are visible.
create or replace function current_merchant() returns bigint
  language sql stable parallel safe
  as $$ select nullif(current_setting('app.merchant_id', true), '')::bigint $$;
