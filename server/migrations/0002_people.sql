-- People who sign in, their second factors and sessions, and the limits on signing in.

-- A person who signs in, with the credentials. Belongs to no merchant: membership says where the person may work.
create table app_user (
  id bigint generated always as identity primary key,
  email text not null check (email = lower(email)),
  name text not null check (name <> ''),
  -- Argon2id.
  password_hash text not null,
  -- AES-256-GCM under the application's key: the TOTP secret (Base32), and the recovery codes (JSON array).
  two_factor_secret bytea,
  two_factor_confirmed_at timestamptz,
  -- The last 30-second step whose code was accepted: no code is accepted twice.
  two_factor_last_step bigint,
  recovery_codes bytea,
  -- Confirms payments; Argon2id.
  payment_password_hash text,
  zone text,
  language text check (language in ('zh-cn', 'en', 'vi')),
  -- Suspended: the person cannot sign in anywhere.
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  constraint app_user_two_factor check (two_factor_confirmed_at is null or two_factor_secret is not null)
);
create unique index app_user_email on app_user (email);

-- A person's place at a merchant: roles and state.
create table membership (
  merchant_id bigint not null references merchant,
  user_id bigint not null references app_user,
  roles text[] not null check (cardinality(roles) > 0),
  -- Suspended: the person cannot work for this merchant.
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (merchant_id, user_id)
);
create index membership_of_user on membership (user_id, created_at, merchant_id);
call protect_tenant_table('membership');
grant select on membership to hengfu_app;
grant select, insert, update on membership to hengfu_system;

-- The merchant that a person's new session works for: the oldest active membership at an active merchant.
create view workplace with (security_invoker = true) as
  select distinct on (p.user_id) p.user_id, p.merchant_id, m.requires_two_factor
  from membership p join merchant m on m.id = p.merchant_id
  where p.disabled_at is null and m.suspended_at is null
  order by p.user_id, p.created_at, p.merchant_id;
grant select on workplace to hengfu_system;

-- The application sees name and state of its merchant's people, and no credentials.
alter table app_user enable row level security, force row level security;
create policy tenant on app_user to hengfu_app using (
  exists (select from membership m where m.merchant_id = current_merchant() and m.user_id = app_user.id));
create policy system on app_user to hengfu_system using (true);
grant select (id, email, name, disabled_at, created_at) on app_user to hengfu_app;
grant select, insert, update on app_user to hengfu_system;

-- Enrollment codes: issued with an account, needed to bind its first second factor if the merchant requires one. Hashed.
create table enrolment_code (
  user_id bigint primary key references app_user,
  code_hash bytea not null,
  expires_at timestamptz not null
);
grant select, insert, update, delete on enrolment_code to hengfu_system;

-- Unlock codes, which our staff issue to owners of locked accounts. Hashed; each works once and expires.
create table unlock_code (
  user_id bigint primary key references app_user,
  code_hash bytea not null,
  expires_at timestamptz not null,
  -- Passwords tried with this code, which bypasses the lock. After a few, the code no longer works.
  tries integer not null default 0
);
grant select, insert, update, delete on unlock_code to hengfu_system;

-- Keyed by SHA-256 of the session id: reading this table yields no usable session.
create table session (
  id_hash bytea primary key,
  user_id bigint not null references app_user,
  -- The merchant that the session works for, one of the person's.
  merchant_id bigint not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  idle_seconds integer not null,
  -- Absolute expiry, however active the session is.
  expires_at timestamptz not null,
  address inet,
  user_agent text,
  -- Identifies the session where its secret ID must not be shown.
  id uuid not null default gen_random_uuid() unique,
  password_confirmed_at timestamptz,
  -- When a passkey was verified in this session, for the next call that needs a second factor.
  passkey_shown_at timestamptz,
  second_factor text,
  second_factor_at timestamptz,
  foreign key (merchant_id, user_id) references membership,
  constraint session_second_factor check (
    (second_factor is null) = (second_factor_at is null) and second_factor in ('app', 'passkey', 'recoveryCode'))
);
create index session_of_user on session (user_id);
create index session_of_merchant on session (merchant_id);
create index session_by_end on session (expires_at);
call protect_tenant_table('session');
grant select, insert, update, delete on session to hengfu_system;

-- Actions on a person's access at a merchant, which the person can read: their audit rows once more, in a narrow table that stays
-- when months of the audit trail are archived.
create table access_event (
  merchant_id bigint not null,
  user_id bigint not null,
  at timestamptz not null default now(),
  id bigint generated always as identity,
  action text not null,
  address inet,
  primary key (merchant_id, user_id, at, id),
  foreign key (merchant_id, user_id) references membership
);
call protect_tenant_table('access_event');
grant insert on access_event to hengfu_app;
grant select, insert on access_event to hengfu_system;
create trigger append_only before delete or update or truncate on access_event
  for each statement execute function refuse_change();

-- Sign-ins that have passed the password and wait for the second factor, by the hash of the browser's session ID.
create table pending_sign_in (
  id_hash bytea primary key,
  user_id bigint not null references app_user,
  remember boolean not null,
  created_at timestamptz not null default now()
);
create index pending_sign_in_age on pending_sign_in (created_at);
create index pending_sign_in_of_user on pending_sign_in (user_id);
grant select, insert, delete on pending_sign_in to hengfu_system;

-- An authenticator app that is being bound. Its secret belongs to the session that began the binding, and ends with it.
create table two_factor_binding (
  session_id uuid primary key references session (id) on delete cascade,
  user_id bigint not null references app_user,
  -- AES-256-GCM under the application's key, as in app_user.
  secret bytea not null,
  -- Recovery codes that replace the person's once the app is bound; null keeps the existing ones.
  recovery_codes bytea,
  created_at timestamptz not null default now()
);
create index two_factor_binding_of_user on two_factor_binding (user_id);
grant select, insert, update, delete on two_factor_binding to hengfu_system;

-- Passkeys (WebAuthn): a second factor beside the authenticator app.
create table passkey (
  id uuid primary key default gen_random_uuid(),
  user_id bigint not null references app_user,
  credential_id text not null unique,
  public_key bytea not null,
  -- The authenticator's signature counter, if it has one. A lower value than before indicates a cloned authenticator.
  sign_count bigint not null,
  transports text[] not null,
  name text not null check (name <> ''),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkey_of_user on passkey (user_id);
grant select, insert, update, delete on passkey to hengfu_system;

-- Challenges for passkeys, by the hash of the browser's session ID; each works once.
create table passkey_challenge (
  id_hash bytea primary key,
  challenge text not null,
  created_at timestamptz not null default now()
);
create index passkey_challenge_age on passkey_challenge (created_at);
grant select, insert, update, delete on passkey_challenge to hengfu_system;

-- Failed sign-ins, by a hash of address and email, or of the email alone.
create table sign_in_throttle (
  key bytea primary key,
  failures integer not null,
  window_started_at timestamptz not null,
  blocked_until timestamptz,
  -- After this, the count no longer matters. A sweep also respects blocked_until.
  expires_at timestamptz not null default (now() + interval '1 day')
);
create index sign_in_throttle_expiry on sign_in_throttle (expires_at);
grant select, insert, update, delete on sign_in_throttle to hengfu_system;

-- Accounts tried unsuccessfully from one address within an hour, by a hash of the address (IPv6: of its /64 and its /48).
create table sign_in_address (
  key bytea primary key check (octet_length(key) = 32),
  -- Hashes of their emails, 16 bytes each, whether or not the account exists.
  accounts bytea[] not null,
  window_started_at timestamptz not null,
  -- Once there are too many, no further account may be tried before this.
  blocked_until timestamptz,
  expires_at timestamptz not null
);
create index sign_in_address_expiry on sign_in_address (expires_at);
grant select, insert, update, delete on sign_in_address to hengfu_system;

-- Where a person has signed in from: a hash of the browser without its version, or an address (IPv6: its /64).
create table sign_in_origin (
  user_id bigint not null references app_user,
  kind text not null check (kind in ('address', 'browser')),
  value text not null,
  last_at timestamptz not null default now(),
  primary key (user_id, kind, value)
);
grant select, insert, update, delete on sign_in_origin to hengfu_system;
