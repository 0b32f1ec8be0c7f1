-- Roles, tenancy, merchants, the audit trail and order numbers. Every table of a merchant's data carries merchant_id and
-- is protected by row-level security: the application sees the merchant named by its transaction, and no other.

-- hengfu_app works for one merchant, hengfu_system for all of them. hengfu_ledger and hengfu_intake own functions that
-- write more than their callers may.
do $$
declare
  name text;
begin
  foreach name in array array['hengfu_app', 'hengfu_system', 'hengfu_ledger', 'hengfu_intake'] loop
    if not exists (select from pg_roles where rolname = name) then
      begin
        execute format('create role %I nologin', name);
      exception when duplicate_object or unique_violation then
        null; -- Another database of the same cluster created it at the same moment.
      end;
    end if;
  end loop;
  execute format('grant hengfu_ledger, hengfu_intake to %I', current_user);
end $$;
grant usage on schema public to hengfu_app, hengfu_system, hengfu_ledger, hengfu_intake;

-- Holds a pg_notify that does nothing (functions/pg_notify.sql).
create schema quiet;
grant usage on schema quiet to hengfu_app, hengfu_system;

-- Holds the partitions of the tables that grow with the orders: one per table and UTC month, made by make_months. No role of
-- the application may use it, so rows are reached through the partitioned tables only, with their policies and rights.
create schema month;
grant execute on function make_months to hengfu_system;

-- Enables row-level security on a table: hengfu_app sees its merchant's rows, hengfu_system all of them. Grants nothing.
create procedure protect_tenant_table(target regclass)
  language plpgsql
  as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy tenant on %s to hengfu_app using (merchant_id = current_merchant())', target);
  execute format('create policy system on %s to hengfu_system using (true)', target);
end $$;

-- Lets the functions that hengfu_intake owns read and write a table for the merchants of their transaction.
create procedure open_to_intake(target regclass)
  language plpgsql
  as $$
begin
  execute format(
    'create policy intake on %s to hengfu_intake using (merchant_id = any ((select current_merchants())::bigint[]))', target);
end $$;

-- Makes a role the owner of a function, which runs with the role's rights, and lets nobody else call it.
create procedure give_function(target regproc, role_name name)
  language plpgsql
  as $$
begin
  execute format('grant create on schema public to %I', role_name);
  execute format('alter function %s owner to %I', target, role_name);
  execute format('revoke create on schema public from %I', role_name);
  execute format('revoke execute on function %s from public', target);
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
  -- IP whitelist of the Open API: if empty, every signed call is rejected.
  allowed_addresses cidr[] not null default '{}',
  suspended_at timestamptz,
  -- Why and by whom, until it is reactivated.
  suspension_reason text,
  suspended_by text,
  created_at timestamptz not null default now(),
  requires_two_factor boolean not null default false,
  -- A test merchant has no real money. It belongs to the live merchant that it tries things out for.
  mode text not null default 'live' check (mode in ('live', 'test')),
  live_merchant_id bigint references merchant,
  constraint merchant_suspension check (suspended_at is not null or num_nonnulls(suspension_reason, suspended_by) = 0),
  constraint merchant_test_has_live check ((mode = 'test') = (live_merchant_id is not null))
);
create index merchant_by_lane on merchant (merchant_lane(id));
create unique index merchant_test_of on merchant (live_merchant_id);
alter table merchant enable row level security, force row level security;
create policy intake on merchant to hengfu_intake using (id = any ((select current_merchants())::bigint[]));
create policy system on merchant to hengfu_system using (true);
create policy tenant on merchant to hengfu_app using (id = current_merchant());
grant select on merchant to hengfu_app;
grant select (id, suspended_at) on merchant to hengfu_intake;
grant select, insert, update on merchant to hengfu_system;

-- The tables that grow with the orders are partitioned by month (decision 0020). PostgreSQL 15 allows no identity columns in
-- them, so their numbers are serial.
--
-- The audit trail: who changed what, and from where. Inserted in the transaction of the change, and never altered. `actor` is `user:<id>`,
-- `key:<id>`, `operator:<name>`, `job:<task>` or `nobody`.
create table audit (
  id bigserial,
  -- 0 for what concerns the service and no merchant.
  merchant_id bigint not null,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  subject text,
  address inet,
  request_id text,
  before jsonb,
  after jsonb,
  primary key (merchant_id, at, id)
) partition by range (at);
call protect_tenant_table('audit');
call open_to_intake('audit');
grant select, insert on audit to hengfu_app, hengfu_system;
grant insert on audit to hengfu_intake;
grant usage on sequence audit_id_seq to hengfu_app, hengfu_intake, hengfu_system;
create trigger append_only before delete or update or truncate on audit
  for each statement execute function refuse_change();

-- Months of a partitioned table whose rows were moved to the file store. Then the partition is gone.
create table archived_month (
  table_name text not null,
  month date not null check (month = date_trunc('month', month)::date),
  file_key text not null,
  begun_at timestamptz not null default now(),
  -- Null while the file is being written; if that was interrupted, the file may exist and is deleted by the next attempt.
  archived_at timestamptz,
  row_count bigint,
  bytes bigint,
  sha256 bytea,
  primary key (table_name, month),
  constraint archived_month_file unique (file_key),
  constraint archived_month_facts check (num_nulls(archived_at, row_count, bytes, sha256) in (0, 4))
);
grant select on archived_month to hengfu_app;
grant select, insert, update, delete on archived_month to hengfu_system;

-- The parts of an archived month's file, each a gzip member with rows of one merchant in the order of their keys: the number
-- of the order, the ID of the message, account, instant and version of the entry, or instant and number of the audit row. So a merchant's rows are read without
-- those of others.
create table archived_part (
  -- 0 for audit rows that concern the service and no merchant.
  merchant_id bigint not null,
  table_name text not null,
  month date not null,
  -- The place in the file.
  number integer not null,
  offset_bytes bigint not null,
  length_bytes bigint not null,
  row_count integer not null,
  first_key text collate "C" not null,
  last_key text collate "C" not null,
  -- The lowest and the highest transfer of its entries, by which an order's entries are found; null for other tables.
  lowest_transfer_id bigint,
  highest_transfer_id bigint,
  primary key (merchant_id, table_name, month, number),
  foreign key (table_name, month) references archived_month
);
call protect_tenant_table('archived_part');
grant select on archived_part to hengfu_app;
grant select, insert on archived_part to hengfu_system;

-- Whether the demo data was started and finished; an interrupted run starts over. For the owner only.
create table demo_seed (
  begun_at timestamptz not null default now(),
  finished_at timestamptz
);

-- Numbers of orders are compared byte by byte (`collate "C"`) in every table: whatever the database's collation, an index
-- finds them by their beginning.
--
-- Order numbers end in five digits of this sequence (functions/new_trade_no.sql). They and checkout tokens contain their
-- merchant's lane, so they are unique per merchant, and found without a directory.
create sequence trade_no_sequence;
grant usage on sequence trade_no_sequence to hengfu_app, hengfu_system, hengfu_intake;
