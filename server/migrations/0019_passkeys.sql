-- Passkeys (WebAuthn): a second factor beside the authenticator app.
create table passkey (
  id uuid primary key default gen_random_uuid(),
  merchant_id bigint not null references merchant,
  user_id bigint not null references app_user,
  credential_id text not null unique,
  public_key bytea not null,
  -- Grows with each use where the authenticator counts; one that falls back tells of a copy.
  sign_count bigint not null,
  transports text[] not null,
  name text not null check (name <> ''),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkey_of_user on passkey (user_id);
call protect_tenant_table('passkey');
grant select, insert, update, delete on passkey to hengfu_system;

-- What a passkey is to sign, by the hash of the browser's session id; each is good once.
create table passkey_challenge (
  id_hash bytea primary key,
  challenge text not null,
  created_at timestamptz not null default now()
);
create index passkey_challenge_age on passkey_challenge (created_at);
grant select, insert, update, delete on passkey_challenge to hengfu_system;

-- A passkey was shown in this session for the next call that wants the second factor.
alter table session add passkey_shown_at timestamptz;
