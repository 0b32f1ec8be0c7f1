-- Locks a merchant's status exclusively, to suspend or reactivate it. Work that requires an active merchant holds the same
-- lock shared (hold_standing). So once a suspension is committed, everything it still allowed is committed, too, and
-- everything later sees it.
create or replace function lock_standing(merchant bigint) returns void
  language sql volatile
  as $$ select pg_advisory_xact_lock(hashtextextended('standing ' || merchant, 0)) $$;
