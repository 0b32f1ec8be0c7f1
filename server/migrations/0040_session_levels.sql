-- A session records what it has passed. What a person has bound says nothing about it: somebody else may have bound it.
-- Sessions from before this column have passed the password alone: whoever has a second factor takes the challenge again.
alter table session
  add second_factor text,
  add second_factor_at timestamptz;
-- locks: the table holds open sessions alone; reading them takes a moment.
alter table session
  add constraint session_second_factor
    check ((second_factor is null) = (second_factor_at is null) and
      second_factor in ('app', 'passkey', 'recoveryCode'));

-- An authenticator app that is being bound: its secret belongs to the session that began, and goes with it.
create table two_factor_binding (
  session_id uuid primary key references session (id) on delete cascade,
  merchant_id bigint not null references merchant,
  user_id bigint not null references app_user,
  -- AES-256-GCM under the application's key, as in app_user.
  secret bytea not null,
  -- Recovery codes that replace the person's once the app is bound; null: those the person has stay.
  recovery_codes bytea,
  created_at timestamptz not null default now()
);
create index two_factor_binding_of_user on two_factor_binding (user_id);
call protect_tenant_table('two_factor_binding');
grant select, insert, update, delete on two_factor_binding to hengfu_system;

-- The first second factor at a merchant that requires one is bound with a code that came with the account, by hash.
create table enrolment_code (
  user_id bigint primary key references app_user,
  merchant_id bigint not null references merchant,
  code_hash bytea not null,
  expires_at timestamptz not null
);
call protect_tenant_table('enrolment_code');
grant select, insert, update, delete on enrolment_code to hengfu_system;

-- Secrets that no code has confirmed were readable by every session of their user.
update app_user set two_factor_secret = null where two_factor_confirmed_at is null and two_factor_secret is not null;
update app_user u set recovery_codes = null
  where u.two_factor_confirmed_at is null and u.recovery_codes is not null
    and not exists (select from passkey p where p.user_id = u.id);
