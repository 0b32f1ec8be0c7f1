-- Checks the constraints of access keys (0087), and finds the keys that end soon.
-- locks: validation reads the table beside its writers; they wait while the index of few rows is built.

alter table access_key validate constraint access_key_name;
alter table access_key validate constraint access_key_scopes;
alter table access_key validate constraint access_key_successor;
create index access_key_ending on access_key (ends_at) where ends_at is not null and revoked_at is null;
