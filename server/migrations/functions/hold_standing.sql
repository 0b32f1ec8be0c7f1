-- Whether the merchant is suspended; the answer does not change until the transaction ends.
create or replace function hold_standing(merchant bigint) returns boolean
  language plpgsql volatile
  as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('standing ' || merchant, 0));
  -- A statement of its own: it sees what was committed while the lock was waited for.
  return exists (select from merchant m where m.id = hold_standing.merchant and m.suspended_at is not null);
end $$;
