-- USDT: rates, wallets, top-ups and withdrawals.

-- Units of a local currency per USDT, by the time from which they apply. Earlier rates are kept.
create table exchange_rate (
  currency text not null,
  valid_from timestamptz not null default now(),
  usdt_rate numeric(20, 8) not null check (usdt_rate > 0),
  primary key (currency, valid_from)
);
grant select on exchange_rate to hengfu_app;
grant select, insert on exchange_rate to hengfu_system;

-- The service's wallets. Merchants are shown the newest of a network; transfers to earlier ones are accepted as well.
create table deposit_wallet (
  network text not null,
  valid_from timestamptz not null default now(),
  address text not null,
  minimum_usdt_minor bigint not null check (minimum_usdt_minor >= 0),
  is_open boolean not null default true,
  primary key (network, valid_from)
);
grant select on deposit_wallet to hengfu_app;
grant select, insert on deposit_wallet to hengfu_system;

-- Transactions on a chain, each claimed by the top-up that it funds or the withdrawal that it pays, whichever merchant's: it
-- is credited once. The claim of a rejected top-up is withdrawn.
create table chain_transaction (
  kind text not null check (kind in ('topup', 'withdrawal')),
  network text not null,
  transaction_id text not null,
  merchant_id bigint not null references merchant,
  trade_no text collate "C" not null,
  primary key (kind, network, transaction_id)
);
call protect_tenant_table('chain_transaction');
grant select, insert, delete on chain_transaction to hengfu_app, hengfu_system;

-- Top-ups in USDT, submitted with the transaction hash and a screenshot, reviewed by our staff, then credited.
create table topup (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  trade_no text collate "C" not null,
  status text not null default 'pendingReview' check (status in ('pendingReview', 'approved', 'paid', 'rejected')),
  coin text not null default 'USDT' check (coin = 'USDT'),
  usdt_minor bigint not null check (usdt_minor > 0),
  arrived_usdt_minor bigint check (arrived_usdt_minor > 0),
  currency text not null,
  amount_minor bigint not null check (amount_minor > 0),
  usd_minor bigint check (usd_minor >= 0),
  usdt_rate numeric(20, 8) not null,
  usd_rate numeric(20, 8),
  network text not null,
  address text not null,
  transaction_id text not null,
  reject_reason text,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  reviewed_at timestamptz(3),
  paid_at timestamptz(3),
  primary key (merchant_id, id),
  constraint topup_trade_no unique (merchant_id, trade_no),
  constraint topup_approved_has_arrived check (status not in ('approved', 'paid') or arrived_usdt_minor is not null),
  constraint topup_paid_has_time check ((status = 'paid') = (paid_at is not null)),
  constraint topup_rejected_has_reason check ((status = 'rejected') = (reject_reason is not null)),
  constraint topup_reviewed_has_time check ((status <> 'pendingReview') = (reviewed_at is not null))
);
-- For our staff: other submissions of the same transaction.
create index topup_by_transaction on topup (network, transaction_id);
create index topup_newest on topup (merchant_id, created_at desc, id desc);
create index topup_by_status on topup (merchant_id, status, created_at desc, id desc);
create index topup_open on topup (created_at) where status in ('pendingReview', 'approved');
create index topup_by_address on topup (merchant_id, address, created_at desc, id desc);
call protect_tenant_table('topup');
grant select, insert, update on topup to hengfu_app, hengfu_system;

create table topup_image (
  merchant_id bigint not null,
  topup_id bigint not null,
  type text not null check (type in ('image/png', 'image/jpeg')),
  bytes bytea not null check (octet_length(bytes) <= 2097152),
  sha256 bytea not null check (octet_length(sha256) = 32),
  primary key (merchant_id, topup_id),
  foreign key (merchant_id, topup_id) references topup (merchant_id, id)
);
create index topup_image_by_hash on topup_image (sha256);
call protect_tenant_table('topup_image');
grant select, insert on topup_image to hengfu_app, hengfu_system;

create table withdrawal_terms (
  merchant_id bigint not null references merchant,
  valid_from timestamptz not null default now(),
  fee_usdt_minor bigint not null check (fee_usdt_minor >= 0),
  free_per_day integer not null check (free_per_day >= 0),
  minimum_usdt_minor bigint not null check (minimum_usdt_minor >= 0),
  primary key (merchant_id, valid_from)
);
call protect_tenant_table('withdrawal_terms');
grant select on withdrawal_terms to hengfu_app;
grant select, insert on withdrawal_terms to hengfu_system;

-- Withdrawals in USDT. Amount and fee are locked at application; once paid they leave, if rejected they return.
create table withdrawal (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  trade_no text collate "C" not null,
  request_hash bytea not null,
  status text not null default 'pendingReview' check (status in ('pendingReview', 'approved', 'paid', 'rejected')),
  usdt_minor bigint not null check (usdt_minor > 0),
  fee_usdt_minor bigint not null check (fee_usdt_minor >= 0),
  currency text not null,
  amount_minor bigint not null check (amount_minor > 0),
  fee_minor bigint not null check (fee_minor >= 0),
  usd_minor bigint check (usd_minor >= 0),
  usdt_rate numeric(20, 8) not null,
  usd_rate numeric(20, 8),
  network text not null,
  address text not null,
  transaction_id text,
  reject_reason text,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  reviewed_at timestamptz(3),
  paid_at timestamptz(3),
  primary key (merchant_id, id),
  constraint withdrawal_trade_no unique (merchant_id, trade_no),
  constraint withdrawal_paid_has_transaction
    check ((status = 'paid') = (paid_at is not null) and (status = 'paid') = (transaction_id is not null)),
  constraint withdrawal_reviewed_has_time check ((status <> 'pendingReview') = (reviewed_at is not null))
);
create index withdrawal_newest on withdrawal (merchant_id, created_at desc, id desc);
create index withdrawal_by_status on withdrawal (merchant_id, status, created_at desc, id desc);
create index withdrawal_by_address on withdrawal (merchant_id, address, created_at desc, id desc);
create index withdrawal_by_transaction on withdrawal (merchant_id, network, transaction_id);
create index withdrawal_open on withdrawal (created_at) where status in ('pendingReview', 'approved');
call protect_tenant_table('withdrawal');
grant select, insert, update on withdrawal to hengfu_app, hengfu_system;
