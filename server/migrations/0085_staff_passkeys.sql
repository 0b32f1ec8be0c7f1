-- Passkeys of our staff, a second factor beside the authenticator app.
-- locks: a new table, and columns without a default.

create table staff_passkey (
  id uuid primary key default gen_random_uuid(),
  staff_id bigint not null references staff_user,
  credential_id text not null unique,
  public_key bytea not null,
  -- The authenticator's signature counter, if it has one. A lower value than before indicates a cloned authenticator.
  sign_count bigint not null,
  transports text[] not null,
  name text not null check (char_length(name) between 1 and 64),
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
create index staff_passkey_of_member on staff_passkey (staff_id);
grant select, insert (staff_id, credential_id, public_key, sign_count, transports, name), update (sign_count, last_used_at), delete
  on staff_passkey to hengfu_staff;
-- A reset removes them.
grant select (staff_id), delete on staff_passkey to hengfu_accounts;

-- The challenges that the next new passkey, and the next one that is shown, have to sign in this session. Each works once.
alter table staff_session
  add column creation_challenge text,
  add column creation_at timestamptz,
  add column request_challenge text,
  add column request_at timestamptz;
