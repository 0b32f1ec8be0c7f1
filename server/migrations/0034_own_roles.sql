-- Roles that a merchant makes from the list of permissions. Members and invitations name them by their codes, beside the roles that every
-- merchant has.

-- The code is random and has a prefix that no role of the product has, so that neither a role of the product nor a later one of the merchant
-- is ever taken for it. A permission that the product gets later is in no row.
create table own_role (
  merchant_id bigint not null references merchant,
  code text collate "C" not null check (code ~ '^own_[0-9a-z]{16}$'),
  name text not null check (name <> ''),
  -- The name as names are compared: without case, width and characters that cannot be seen.
  name_key text collate "C" not null,
  description text not null,
  perms text[] not null check (cardinality(perms) > 0),
  -- Counts the changes.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A retired role grants nothing. Its row stays, because the audit log names it.
  retired_at timestamptz,
  primary key (merchant_id, code)
);
create unique index own_role_name on own_role (merchant_id, name_key) where retired_at is null;
call protect_tenant_table('own_role');
grant select on own_role to hengfu_app;
grant select, insert, update on own_role to hengfu_system;
