-- Generates an order number: a letter, the UTC second, and nine digits that run through all of 0–999,999,999 before one
-- repeats.
create or replace function new_trade_no(prefix text, at timestamptz) returns text
  language sql volatile
  as $$
    select prefix || to_char(at at time zone 'UTC', 'YYMMDDHH24MISS')
      || lpad(((nextval('trade_no_sequence')::numeric * 618033989) % 1000000000)::bigint::text, 9, '0')
  $$;
