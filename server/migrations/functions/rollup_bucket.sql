-- The 15-minute bucket of an instant.
create or replace function rollup_bucket(at timestamptz) returns timestamptz
  language sql immutable parallel safe
  as $$ select date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00+00') $$;
