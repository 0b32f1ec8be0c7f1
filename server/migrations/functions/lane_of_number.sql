-- The lane in an order number (functions/new_trade_no.sql).
create or replace function lane_of_number(number text) returns text
  language sql immutable parallel safe
  as $$ select substr(number, 14, 4) $$;
