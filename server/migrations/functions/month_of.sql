-- needed by tables
-- The name of a table's partition for the month of a UTC time, in the schema `month`.
create or replace function month_of(parent text, at timestamp) returns text
  language sql immutable
  as $$ select parent || to_char(at, '_YYYY_MM') $$;
