-- Our own staff: people who sign in to the back office, their sessions, and the roles of their door.
-- locks: policies and grants change no row; each needs its table for a moment, and the migration gives way if it has to wait.

-- hengfu_staff is the role of the back office: it works for the merchant that its transaction names, and has only the rights that
-- are granted here and later. hengfu_overview reads across merchants and writes nothing; it owns the views named staff_*, which
-- are all that hengfu_staff sees of several merchants. hengfu_accounts adds and changes accounts of our staff, for operators.
do $$
declare
  name text;
begin
  foreach name in array array['hengfu_staff', 'hengfu_overview', 'hengfu_accounts'] loop
    if not exists (select from pg_roles where rolname = name) then
      begin
        execute format('create role %I nologin', name);
      exception when duplicate_object or unique_violation then
        null; -- Another database of the same cluster created it at the same moment.
      end;
    end if;
  end loop;
  execute format('grant hengfu_overview to %I', current_user);
end $$;
grant usage on schema public to hengfu_staff, hengfu_overview, hengfu_accounts;

-- Lets hengfu_overview read these columns of a table for all merchants, besides those that it reads already.
create procedure open_to_overview(target regclass, columns text)
  language plpgsql
  as $$
begin
  if not exists (select from pg_policy where polrelid = target and polname = 'overview') then
    execute format('create policy overview on %s for select to hengfu_overview using (true)', target);
  end if;
  execute format('grant select (%s) on %s to hengfu_overview', columns, target);
end $$;

-- Makes hengfu_overview the owner of a view, so that its rights apply, and lets hengfu_staff and hengfu_system read it.
create procedure give_view(target regclass)
  language plpgsql
  as $$
begin
  grant create on schema public to hengfu_overview;
  execute format('alter view %s owner to hengfu_overview', target);
  revoke create on schema public from hengfu_overview;
  execute format('grant select on %s to hengfu_staff, hengfu_system', target);
end $$;

create table staff_user (
  id bigint generated always as identity primary key,
  email text not null unique check (email = lower(email)),
  name text not null check (name <> ''),
  password_hash text not null,
  roles text[] not null check (cardinality(roles) > 0 and roles <@ array['ADMIN', 'REVIEWER', 'FINANCE', 'SUPPORT']),
  -- Null until the person chooses one.
  language text check (language in ('zh-cn', 'en', 'vi')),
  -- The encrypted secret of the authenticator app, and the last time step whose code was accepted.
  factor_secret bytea,
  factor_step bigint,
  disabled_at timestamptz,
  created_at timestamptz not null default now()
);
-- The back office adds nobody, and changes neither roles nor passwords.
grant select, update (language, factor_secret, factor_step) on staff_user to hengfu_staff;
grant select, insert, update on staff_user to hengfu_accounts;

-- Keyed by SHA-256 of the session id, as the merchants' sessions are.
create table staff_session (
  id_hash bytea primary key check (octet_length(id_hash) = 32),
  -- Identifies the session where its secret ID must not be shown.
  id uuid not null default gen_random_uuid() unique,
  staff_id bigint not null references staff_user,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  idle_seconds integer not null,
  -- Absolute expiry, however active the session is.
  expires_at timestamptz not null,
  address inet,
  user_agent text,
  -- When the second factor was passed; null before.
  factor_passed_at timestamptz,
  -- The encrypted secret of an app that is being bound in this session.
  pending_secret bytea
);
create index staff_session_of_staff on staff_session (staff_id);
create index staff_session_by_end on staff_session (expires_at);
grant select, insert, update, delete on staff_session to hengfu_staff;
grant select (id_hash, id, staff_id), delete on staff_session to hengfu_accounts;

-- Failed sign-ins and codes of our staff. Apart from sign_in_throttle, so that neither door can clear the other's.
create table staff_throttle (
  key bytea primary key,
  failures integer not null,
  window_started_at timestamptz not null,
  blocked_until timestamptz,
  expires_at timestamptz not null default (now() + interval '1 day')
);
create index staff_throttle_expiry on staff_throttle (expires_at);
grant select, insert, update, delete on staff_throttle to hengfu_staff;
grant select (key), delete on staff_throttle to hengfu_accounts;

-- Actions of our staff are audited like everything else: for the merchant of the transaction, or for the service (0).
create policy staff on audit for insert to hengfu_staff with check (
  (merchant_id = current_merchant() or merchant_id = 0) and actor ~ '^((staff|operator|job):|nobody$)');
create policy accounts on audit for insert to hengfu_accounts with check (merchant_id = 0);
grant insert on audit to hengfu_staff, hengfu_accounts;
grant usage on sequence audit_id_seq to hengfu_staff, hengfu_accounts;

call open_to_overview('merchant', 'id, code, name, home_currency, zone, mode, suspended_at');
create view staff_merchant as
  select id, code, name, home_currency, zone, mode, suspended_at from merchant;
call give_view('staff_merchant');
-- Whether the database serves others than the demo's merchants decides about the demo's accounts.
grant select (code) on staff_merchant to hengfu_accounts;
