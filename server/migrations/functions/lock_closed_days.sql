-- Keeps a merchant's closed days from changing, and from being closed, while another transaction changes them.
create or replace function lock_closed_days(merchant bigint) returns void
  language sql volatile
  as $$ select pg_advisory_xact_lock(hashtextextended('closed days ' || merchant, 0)) $$;
