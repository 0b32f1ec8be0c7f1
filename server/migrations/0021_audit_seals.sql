-- The audit trail is sealed: every few seconds, a root covers the rows written since the one before, with a sum for each merchant.
-- A root has an HMAC whose key is not in the database, and a copy outside the database (docs/security.md, "The sealed audit trail").

create table audit_root (
  number bigint primary key check (number > 0),
  -- The root that it follows; null for the first one. Between them, numbers are missing after an accepted loss.
  previous_number bigint check (previous_number < number),
  -- The numbers of the rows that it covers: above from_id, up to to_id.
  from_id bigint not null unique check (from_id >= 0),
  to_id bigint not null check (to_id > from_id),
  -- By the clock of the process that made the root, in milliseconds.
  sealed_at timestamptz not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  mac text not null
);
grant select, insert on audit_root to hengfu_system;
create trigger append_only before delete or update or truncate on audit_root
  for each statement execute function refuse_change();

-- A merchant's rows under a root. No foreign key leads to the root, so that each merchant's seals can be on a machine of their own.
create table audit_seal (
  -- 0 for what concerns the service and no merchant.
  merchant_id bigint not null,
  root_number bigint not null,
  -- Those of the root.
  from_id bigint not null,
  to_id bigint not null,
  row_count integer not null check (row_count > 0),
  sha256 bytea not null check (octet_length(sha256) = 32),
  primary key (merchant_id, root_number)
);
create index audit_seal_of_root on audit_seal (root_number, merchant_id);
call protect_tenant_table('audit_seal');
grant select, insert on audit_seal to hengfu_system;
create trigger append_only before delete or update or truncate on audit_seal
  for each statement execute function refuse_change();
