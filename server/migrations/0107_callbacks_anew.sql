-- Callbacks that are sent again get the whole schedule anew, and none is sent again for an endpoint that was removed.
-- locks: a column with a constant default, which changes no row, and a trigger. The table is needed for a moment, and the migration gives
-- way if it has to wait.

-- Attempts that were made before it was last sent again, or its endpoint was last turned on: retries are counted from there.
alter table callback_message add column attempts_before integer not null default 0;
grant update (attempts_before) on callback_message to hengfu_staff;

-- Our staff has callbacks sent again, and must know which endpoints were removed.
grant select (merchant_id, id, state) on callback_endpoint to hengfu_staff;
create policy staff on callback_endpoint to hengfu_staff using (merchant_id = current_merchant());

-- The check of an address is deleted with the address.
grant delete on callback_check to hengfu_system;

-- Against processes of the version before; see the function.
create trigger keep_from_old_process before update on callback_message
  for each row when (
    old.endpoint_id is not null and new.delivered_at is null and new.given_up_at is null and new.attempts = old.attempts
    and new.attempts_before = old.attempts_before and new.created_at = old.created_at
    and new.resent_at is not distinct from old.resent_at and new.retried_from is not distinct from old.retried_from)
  execute function keep_from_old_process();
