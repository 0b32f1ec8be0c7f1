-- Roles, tenancy, people, sessions, keys. Everything that belongs to a merchant carries merchant_id and stands
-- behind row-level security: the application sees the merchant its transaction names, and no other.

do $$
declare
  name text;
begin
  foreach name in array array['hengfu_app', 'hengfu_system', 'hengfu_ledger'] loop
    if not exists (select from pg_roles where rolname = name) then
      begin
        execute format('create role %I nologin', name);
      exception when duplicate_object or unique_violation then
        null; -- another database of the same cluster made it at the same moment
      end;
    end if;
  end loop;
end $$;

grant usage on schema public to hengfu_app, hengfu_system, hengfu_ledger;

-- The merchant of the present transaction; null where none is set, so that nothing is seen.
create function current_merchant() returns bigint
  language sql stable parallel safe
  as $$ select nullif(current_setting('app.merchant_id', true), '')::bigint $$;

-- Puts a table behind row-level security: hengfu_app sees its merchant's rows, hengfu_system all of them.
-- Rights are granted by the migration that makes the table: none here.
create procedure protect_tenant_table(target regclass)
  language plpgsql
  as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy tenant on %s to hengfu_app using (merchant_id = current_merchant())', target);
  execute format('create policy system on %s to hengfu_system using (true)', target);
end $$;

create table merchant (
  id bigint generated always as identity primary key,
  code text not null unique check (code ~ '^[a-z][a-z0-9-]{1,31}$'),
  name text not null check (name <> ''),
  home_currency text not null check (home_currency in ('CNY', 'USD', 'INR', 'BRL', 'VND')),
  zone text not null,
  -- Local time of day at which the settlement of everything paid before it runs.
  settlement_cut_off time not null default '00:00',
  next_settlement_at timestamptz not null,
  -- IP whitelist of the Open API: empty refuses every signed call.
  allowed_addresses cidr[] not null default '{}',
  suspended_at timestamptz,
  created_at timestamptz not null default now()
);
alter table merchant enable row level security;
alter table merchant force row level security;
create policy tenant on merchant to hengfu_app using (id = current_merchant());
create policy system on merchant to hengfu_system using (true);
grant select on merchant to hengfu_app;
grant select, insert, update on merchant to hengfu_system;

create table app_user (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  email text not null check (email = lower(email)),
  name text not null check (name <> ''),
  password_hash text not null,
  roles text[] not null check (cardinality(roles) > 0),
  disabled_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index app_user_email on app_user (email);
create index app_user_merchant on app_user (merchant_id);
call protect_tenant_table('app_user');
grant select on app_user to hengfu_app;
grant select, insert, update on app_user to hengfu_system;

-- Keyed by SHA-256 of the session id: a read of this table gives nobody a session.
create table session (
  id_hash bytea primary key,
  merchant_id bigint not null references merchant,
  user_id bigint not null references app_user,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  idle_seconds integer not null,
  -- The absolute end, however busy the session is.
  expires_at timestamptz not null,
  address inet,
  user_agent text
);
create index session_of_user on session (user_id);
create index session_by_end on session (expires_at);
call protect_tenant_table('session');
grant select on session to hengfu_app;
grant select, insert, update, delete on session to hengfu_system;

-- Sign-in attempts that failed, by a hash of who (address and email, or email alone).
create table sign_in_throttle (
  key bytea primary key,
  failures integer not null,
  window_started_at timestamptz not null,
  blocked_until timestamptz
);
grant select, insert, update, delete on sign_in_throttle to hengfu_system;

create table access_key (
  key_id text primary key,
  merchant_id bigint not null references merchant,
  -- AES-256-GCM under the application's key.
  secret_encrypted bytea not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index access_key_merchant on access_key (merchant_id);
call protect_tenant_table('access_key');
grant select on access_key to hengfu_app;
grant select, insert, update on access_key to hengfu_system;

-- A nonce of a signed call is good once; rows older than the timestamp window are swept.
create table used_nonce (
  key_id text not null,
  nonce text not null,
  used_at timestamptz not null default now(),
  primary key (key_id, nonce)
);
create index used_nonce_age on used_nonce (used_at);
grant select, insert, delete on used_nonce to hengfu_system;

-- Who changed what, from where: written in the transaction that changes it, never altered.
create table audit (
  id bigint generated always as identity primary key,
  merchant_id bigint,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  subject text,
  address inet,
  request_id text,
  before jsonb,
  after jsonb
);
create index audit_merchant on audit (merchant_id, at desc);
call protect_tenant_table('audit');
grant select, insert on audit to hengfu_app, hengfu_system;

-- Public order numbers: a letter, the UTC second, nine digits that walk all of 0–999,999,999 before one repeats.
create sequence trade_no_sequence;
grant usage on sequence trade_no_sequence to hengfu_app, hengfu_system;
create function new_trade_no(prefix text, at timestamptz) returns text
  language sql volatile
  as $$
    select prefix || to_char(at at time zone 'UTC', 'YYMMDDHH24MISS')
      || lpad(((nextval('trade_no_sequence')::numeric * 618033989) % 1000000000)::bigint::text, 9, '0')
  $$;
