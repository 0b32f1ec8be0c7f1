-- Top-ups in USDT: handed in with the chain's transaction and a picture, looked at by the staff, then credited.

-- The service's wallets. The newest of a network is the one to send to; an address that was ever shown is still the
-- service's.
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

create table topup (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  trade_no text not null,
  status text not null default 'pendingReview' check (status in ('pendingReview', 'approved', 'paid', 'rejected')),
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
  constraint topup_trade_no unique (trade_no),
  constraint topup_reviewed_has_time check ((status <> 'pendingReview') = (reviewed_at is not null)),
  constraint topup_paid_has_time check ((status = 'paid') = (paid_at is not null)),
  constraint topup_approved_has_arrived check (status not in ('approved', 'paid') or arrived_usdt_minor is not null),
  constraint topup_rejected_has_reason check ((status = 'rejected') = (reject_reason is not null))
);
-- One transaction of a chain is credited once, whoever hands it in; a rejected one may be handed in again.
create unique index topup_transaction on topup (network, transaction_id) where status <> 'rejected';
create index topup_by_transaction on topup (network, transaction_id);
create index topup_newest on topup (merchant_id, created_at desc, id desc);
create index topup_by_status on topup (merchant_id, status, created_at desc, id desc);
create index topup_open on topup (created_at) where status in ('pendingReview', 'approved');
call protect_tenant_table('topup');
grant select, insert, update on topup to hengfu_app, hengfu_system;

create table topup_image (
  merchant_id bigint not null,
  topup_id bigint not null,
  type text not null check (type in ('image/png', 'image/jpeg')),
  bytes bytea not null check (octet_length(bytes) <= 2097152),
  sha256 bytea not null check (octet_length(sha256) = 32),
  primary key (merchant_id, topup_id),
  foreign key (merchant_id, topup_id) references topup
);
create index topup_image_by_hash on topup_image (sha256);
call protect_tenant_table('topup_image');
grant select, insert on topup_image to hengfu_app, hengfu_system;

create function topup_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'topup_is_credited_once', format('%s is %s: %s postings of %s, worth %s', t.trade_no, t.status, count(e.version), coalesce(sum(e.amount_minor), 0), t.amount_minor)
      from topup t
      left join ledger_transfer p on p.merchant_id = t.merchant_id and p.idempotency_key = 'topup:' || t.trade_no
      left join ledger_account a on a.merchant_id = t.merchant_id and a.kind = 'available' and a.currency = t.currency
      left join ledger_entry e on e.merchant_id = t.merchant_id and e.transfer_id = p.id and e.account_id = a.id
      group by t.trade_no, t.status, t.amount_minor
      having count(e.version) <> (t.status = 'paid')::int or (t.status = 'paid' and sum(e.amount_minor) <> t.amount_minor)
    union all
    select 'posting_has_topup', p.idempotency_key
      from ledger_transfer p
      left join topup t on t.merchant_id = p.merchant_id and t.trade_no = p.subject_no
      where p.type = 'topup' and t.id is null
  $$;
