-- The second factor, confirmed passwords, and where a user is signed in.

alter table app_user
  -- AES-256-GCM under the application's key: the TOTP secret (Base32), and the recovery codes (JSON array).
  add two_factor_secret bytea,
  add two_factor_confirmed_at timestamptz,
  -- The last 30-second step whose code was accepted: none is accepted twice.
  add two_factor_last_step bigint,
  add recovery_codes bytea,
  add constraint app_user_two_factor check (two_factor_confirmed_at is null or two_factor_secret is not null);

alter table merchant add requires_two_factor boolean not null default false;

alter table session
  -- What a session is called where its own id must not be shown.
  add id uuid not null default gen_random_uuid() unique,
  add password_confirmed_at timestamptz;

-- Whose password was right and whose second factor is still to come; by the hash of the browser's session id.
create table pending_sign_in (
  id_hash bytea primary key,
  merchant_id bigint not null references merchant,
  user_id bigint not null references app_user,
  remember boolean not null,
  created_at timestamptz not null default now()
);
create index pending_sign_in_age on pending_sign_in (created_at);
create index pending_sign_in_of_user on pending_sign_in (user_id);
call protect_tenant_table('pending_sign_in');
grant select, insert, delete on pending_sign_in to hengfu_system;
