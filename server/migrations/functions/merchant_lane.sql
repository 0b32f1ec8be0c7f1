-- needed by tables
-- The four digits that every order number and checkout token of a merchant contains, so that its merchant is found without
-- a directory of orders. Several merchants may share a lane. Consecutive merchants have distant lanes.
create or replace function merchant_lane(merchant bigint) returns text
  language sql immutable parallel safe
  as $$ select lpad((merchant * 7919 % 10000)::text, 4, '0') $$;
