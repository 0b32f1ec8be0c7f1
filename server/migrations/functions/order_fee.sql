-- The fee of an order under a rate and a fixed part. contract/src/fees.ts calculates the same fee for display; a test compares the two.
create or replace function order_fee(amount_minor bigint, rate_ppm integer, fixed_minor bigint) returns bigint
  language sql immutable parallel safe
  as $$ select div(amount_minor::numeric * rate_ppm + 500000, 1000000)::bigint + fixed_minor $$;
