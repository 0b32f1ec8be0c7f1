-- The merchants whose order numbers and checkout tokens contain a lane.
create or replace function merchants_in_lane(lane text) returns bigint[]
  language sql stable
  as $$ select array(select id from merchant where merchant_lane(id) = lane) $$;
