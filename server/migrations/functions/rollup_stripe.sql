-- The rollup stripe of this connection, so that concurrent orders do not queue for one row.
create or replace function rollup_stripe() returns smallint
  language sql volatile
  as $$ select (pg_backend_pid() % 8)::smallint $$;
