-- Serializes closing a merchant's days and reopening them, until the transaction ends.
create or replace function lock_closed_days(merchant bigint) returns void
  language sql volatile
  as $$ select pg_advisory_xact_lock(hashtextextended('closed days ' || merchant, 0)) $$;
