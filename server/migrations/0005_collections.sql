-- Collections: orders that a payer pays.

create table collection (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  trade_no text not null,
  out_trade_no text not null,
  -- SHA-256 of what was asked for, so that the same number with another body is told apart.
  request_hash bytea not null,
  status text not null default 'toBePaid'
    check (status in ('toBePaid', 'paid', 'success', 'refunded', 'cancelled', 'closed', 'failed')),
  settlement_status text check (settlement_status in ('unsettled', 'pendingSettlement', 'settled')),
  currency text not null,
  amount_minor bigint not null check (amount_minor > 0),
  fee_minor bigint not null default 0 check (fee_minor between 0 and amount_minor),
  channel text references channel,
  subject text,
  notify_url text,
  return_url text,
  cashier_token text not null,
  pay_url text,
  qr_content text,
  bank_reference text,
  failure_reason text,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  paid_at timestamptz(3),
  refund_requested_at timestamptz(3),
  refunded_at timestamptz(3),
  -- The batch that made it available; the batch that took a later refund off.
  settlement_id bigint,
  refund_settlement_id bigint,
  primary key (merchant_id, id),
  constraint collection_out_trade_no unique (merchant_id, out_trade_no),
  constraint collection_trade_no unique (trade_no),
  constraint collection_cashier_token unique (cashier_token),
  constraint collection_paid_has_time check ((status in ('paid', 'success', 'refunded')) = (paid_at is not null)),
  constraint collection_refunded_has_time check ((status = 'refunded') = (refunded_at is not null)),
  constraint collection_settlement_status check ((settlement_status is not null) = (paid_at is not null))
);
create index collection_newest on collection (merchant_id, created_at desc, id desc);
create index collection_by_status on collection (merchant_id, status, created_at desc, id desc);
create index collection_by_settlement_status on collection (merchant_id, settlement_status, created_at desc, id desc)
  where settlement_status is not null;
create index collection_by_channel on collection (merchant_id, channel, created_at desc, id desc);
create index collection_by_paid_at on collection (merchant_id, paid_at desc) where paid_at is not null;
create index collection_by_amount on collection (merchant_id, amount_minor, created_at desc, id desc);
create index collection_open_until on collection (expires_at) where status = 'toBePaid';
create index collection_by_batch on collection (merchant_id, settlement_id, id) where settlement_id is not null;
create index collection_by_refund_batch on collection (merchant_id, refund_settlement_id, id)
  where refund_settlement_id is not null;
-- What the next batch will take: unsettled payments, and refunds of payments that were settled before.
create index collection_to_settle on collection (merchant_id, paid_at) where settlement_status = 'unsettled';
create index collection_refund_to_settle on collection (merchant_id, refunded_at)
  where status = 'refunded' and settlement_id is not null and refund_settlement_id is null;
call protect_tenant_table('collection');
grant select, insert, update on collection to hengfu_app, hengfu_system;

-- What happened to an order, for its timeline; append-only.
create table collection_event (
  merchant_id bigint not null,
  collection_id bigint not null,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  status text not null,
  reason text,
  detail text,
  primary key (merchant_id, collection_id, id),
  foreign key (merchant_id, collection_id) references collection (merchant_id, id)
);
call protect_tenant_table('collection_event');
grant select, insert on collection_event to hengfu_app, hengfu_system;
create trigger append_only before update or delete or truncate on collection_event
  for each statement execute function refuse_change();
