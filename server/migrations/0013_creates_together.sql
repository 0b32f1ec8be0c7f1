-- Lets hengfu_intake, which owns create_collections, create orders of several merchants in one statement.
-- locks: a policy and grants change no row; each needs its table for a moment, and the migration gives way if it has to wait.
call open_to_intake('collection');
grant select, insert on collection to hengfu_intake;
call open_to_intake('collection_event');
grant insert on collection_event to hengfu_intake;
grant usage on sequence collection_event_id_seq to hengfu_intake;
