-- Generates an order number: a letter, the UTC second, the merchant's lane, and five digits that run through all of
-- 0–99,999 before one repeats. So a number is unique unless 100,000 are generated in a second.
create or replace function new_trade_no(prefix text, merchant bigint, at timestamptz) returns text
  language sql volatile
  as $$
    select prefix || to_char(at at time zone 'UTC', 'YYMMDDHH24MISS') || merchant_lane(merchant)
      || lpad((nextval('trade_no_sequence') % 100000 * 61803 % 100000)::text, 5, '0')
  $$;
