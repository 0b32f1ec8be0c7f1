-- Double-entry ledger. A transfer is a set of entries that sum to zero per currency. Every account belongs to one
-- merchant, the service's side too (fees, clearing, crypto, adjustments): a posting touches one merchant's rows only.
-- Only the ledger_post functions write, under a role of their own; nobody updates or deletes an entry.

create table ledger_account (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  kind text not null check (kind in ('available', 'locked', 'unsettled', 'fees', 'clearing', 'crypto', 'adjustments')),
  -- The channel of a clearing account, the network of a crypto account; otherwise empty.
  reference text not null default '',
  currency text not null,
  balance_minor bigint not null default 0,
  version bigint not null default 0,
  -- When the last entry was made; entries never go back in time.
  last_at timestamptz,
  -- Sum of everything that has come in.
  inflow_minor bigint not null default 0,
  primary key (merchant_id, id),
  constraint ledger_account_identity unique (merchant_id, kind, currency, reference),
  constraint ledger_account_not_negative check (balance_minor >= 0 or kind not in ('available', 'locked', 'unsettled'))
) with (fillfactor = 50); -- New versions of a busy account stay on its page.
call protect_tenant_table('ledger_account');
call open_to_intake('ledger_account');
create policy writer on ledger_account to hengfu_ledger using (merchant_id = any ((select current_merchants())::bigint[]));
grant select on ledger_account to hengfu_app, hengfu_intake, hengfu_system;
grant select, insert, update on ledger_account to hengfu_ledger;

create table ledger_transfer (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  type text not null,
  -- Identifies the cause. A second posting under the same key is rejected.
  idempotency_key text not null,
  -- Number of the order or batch that it belongs to.
  subject_no text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, id),
  constraint ledger_transfer_once unique (merchant_id, idempotency_key)
);
create index ledger_transfer_subject on ledger_transfer (merchant_id, subject_no);
call protect_tenant_table('ledger_transfer');
create policy writer on ledger_transfer to hengfu_ledger using (merchant_id = any ((select current_merchants())::bigint[]));
grant select on ledger_transfer to hengfu_app, hengfu_system;
grant select, insert on ledger_transfer to hengfu_ledger;
create trigger append_only before delete or update or truncate on ledger_transfer
  for each statement execute function refuse_change();

-- No constraint forbids two entries of one version, because a unique key of a partitioned table contains its instant. A
-- version is unique all the same: only the ledger_post functions write, each takes it from the one row of the account that
-- it updates, and the entry's instant never goes back. ledger_violations finds a duplicate and a gap.
create table ledger_entry (
  merchant_id bigint not null,
  account_id bigint not null,
  -- 1, 2, 3 … without gaps: the account's version after this entry.
  version bigint not null,
  transfer_id bigint not null,
  amount_minor bigint not null check (amount_minor <> 0),
  balance_after_minor bigint not null,
  created_at timestamptz(3) not null default now(),
  inflow_after_minor bigint not null,
  -- The transfer's type; only on entries of available funds.
  statement_type text,
  primary key (merchant_id, account_id, created_at, version),
  foreign key (merchant_id, account_id) references ledger_account,
  foreign key (merchant_id, transfer_id) references ledger_transfer
) partition by range (created_at);
create index ledger_entry_transfer on ledger_entry (merchant_id, transfer_id);
create index ledger_entry_statement on ledger_entry (merchant_id, account_id, statement_type, created_at, version)
  where statement_type is not null;
call protect_tenant_table('ledger_entry');
create policy writer on ledger_entry to hengfu_ledger using (merchant_id = any ((select current_merchants())::bigint[]));
grant select on ledger_entry to hengfu_app, hengfu_system;
grant select, insert on ledger_entry to hengfu_ledger;
create trigger append_only before delete or update or truncate on ledger_entry
  for each statement execute function refuse_change();

-- The sums of each account's entries of an archived month, and its last entry. The archived entries of an account are
-- always its first ones: months are archived in their order, and entries never go back in time.
create table archived_entry_sum (
  merchant_id bigint not null,
  account_id bigint not null,
  month date not null check (month = date_trunc('month', month)::date),
  entry_count bigint not null check (entry_count > 0),
  credit_minor bigint not null check (credit_minor >= 0),
  debit_minor bigint not null check (debit_minor >= 0),
  last_version bigint not null,
  last_at timestamptz(3) not null,
  balance_after_minor bigint not null,
  inflow_after_minor bigint not null,
  primary key (merchant_id, account_id, month),
  foreign key (merchant_id, account_id) references ledger_account
);
call protect_tenant_table('archived_entry_sum');
grant select on archived_entry_sum to hengfu_app;
grant select, insert on archived_entry_sum to hengfu_system;
create trigger append_only before delete or update or truncate on archived_entry_sum
  for each statement execute function refuse_change();

-- Transfers whose entries are in several months, because one of their accounts already had an entry of the next month, each
-- with the sum of its entries in an archived month. Without them, the sums of that month are zero.
create table archived_split_transfer (
  merchant_id bigint not null,
  transfer_id bigint not null,
  month date not null check (month = date_trunc('month', month)::date),
  currency text not null,
  amount_minor bigint not null check (amount_minor <> 0),
  primary key (merchant_id, transfer_id, month),
  foreign key (merchant_id, transfer_id) references ledger_transfer
);
call protect_tenant_table('archived_split_transfer');
grant select, insert on archived_split_transfer to hengfu_system;
create trigger append_only before delete or update or truncate on archived_split_transfer
  for each statement execute function refuse_change();

-- When the ledger and the rollups were last verified against the orders, and what was found.
create table ledger_proof (
  id bigint generated always as identity primary key,
  begun_at timestamptz not null,
  ended_at timestamptz not null default clock_timestamp(),
  violation_count integer not null,
  -- The first violations: rule and detail.
  examples jsonb not null default '[]'
);
grant select, insert on ledger_proof to hengfu_system;
