-- Channels and their terms, collections, settlements.

-- Payment channels of the service.
create table channel (
  code text primary key,
  -- The adapter that talks to it.
  adapter text not null,
  currency text not null,
  collection_open boolean not null default true,
  payout_open boolean not null default true
);
grant select on channel to hengfu_app, hengfu_intake;
grant select, insert, update on channel to hengfu_system;

-- Versioned: an order keeps the terms in force when it was created. Rates in parts per million (6000 = 0.6 %).
create table merchant_terms (
  merchant_id bigint not null references merchant,
  channel text not null references channel,
  valid_from timestamptz not null default now(),
  collection_rate_ppm integer not null check (collection_rate_ppm between 0 and 1000000),
  collection_fixed_minor bigint not null check (collection_fixed_minor >= 0),
  payout_rate_ppm integer not null check (payout_rate_ppm between 0 and 1000000),
  payout_fixed_minor bigint not null check (payout_fixed_minor >= 0),
  primary key (merchant_id, channel, valid_from)
);
call protect_tenant_table('merchant_terms');
call open_to_intake('merchant_terms');
grant select on merchant_terms to hengfu_app, hengfu_intake;
grant select, insert on merchant_terms to hengfu_system;

-- Settlements move paid collections into available funds.
create table settlement (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  settlement_no text collate "C" not null,
  status text not null default 'pendingSettlement' check (status in ('pendingSettlement', 'settled')),
  currency text not null,
  order_count integer not null,
  refund_count integer not null,
  amount_minor bigint not null,
  fee_minor bigint not null,
  refunded_minor bigint not null,
  net_minor bigint generated always as (amount_minor - fee_minor - refunded_minor) stored,
  cut_off_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  settled_at timestamptz(3),
  primary key (merchant_id, id),
  constraint settlement_number unique (merchant_id, settlement_no),
  constraint settlement_settled_has_time check ((status = 'settled') = (settled_at is not null))
);
create index settlement_newest on settlement (merchant_id, created_at desc, id desc);
create index settlement_by_status on settlement (merchant_id, status, created_at desc, id desc);
create index settlement_pending on settlement (created_at) where status = 'pendingSettlement';
call protect_tenant_table('settlement');
grant select, insert, update on settlement to hengfu_app, hengfu_system;

-- Orders that payers pay.
create table collection (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  trade_no text collate "C" not null,
  out_trade_no text collate "C" not null,
  -- SHA-256 of the request, which distinguishes a repeated call from a different one with the same number.
  request_hash bytea not null,
  status text not null default 'toBePaid'
    check (status in ('toBePaid', 'paid', 'success', 'refunded', 'cancelled', 'closed', 'failed')),
  settlement_status text check (settlement_status in ('unsettled', 'pendingSettlement', 'settled')),
  currency text not null,
  amount_minor bigint not null check (amount_minor > 0),
  fee_minor bigint not null default 0,
  channel text references channel,
  subject text,
  notify_url text,
  return_url text,
  -- The merchant's lane, then 128 random bits.
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
  -- The settlement that made it available, and the one that deducted a later refund.
  settlement_id bigint,
  refund_settlement_id bigint,
  -- Why the channel declined, as a code that the console translates. failure_reason has the channel's own words for support.
  failure_code text,
  primary key (merchant_id, id),
  constraint collection_cashier_token unique (merchant_id, cashier_token),
  constraint collection_out_trade_no unique (merchant_id, out_trade_no),
  constraint collection_trade_no unique (merchant_id, trade_no),
  foreign key (merchant_id, refund_settlement_id) references settlement (merchant_id, id),
  foreign key (merchant_id, settlement_id) references settlement (merchant_id, id),
  constraint collection_check check (fee_minor between 0 and amount_minor),
  constraint collection_paid_has_time check ((status in ('paid', 'success', 'refunded')) = (paid_at is not null)),
  constraint collection_refunded_has_time check ((status = 'refunded') = (refunded_at is not null)),
  constraint collection_settlement_status check ((settlement_status is not null) = (paid_at is not null))
);
-- For the next settlement: unsettled payments, and refunds of payments that were already settled.
create index collection_to_settle on collection (merchant_id, paid_at) where settlement_status = 'unsettled';
create index collection_refund_to_settle on collection (merchant_id, refunded_at)
  where status = 'refunded' and settlement_id is not null and refund_settlement_id is null;
create index collection_by_batch on collection (merchant_id, settlement_id, created_at desc, id desc)
  where settlement_id is not null;
create index collection_newest on collection (merchant_id, created_at desc, id desc);
create index collection_by_status on collection (merchant_id, status, created_at desc, id desc);
create index collection_by_channel on collection (merchant_id, channel, created_at desc, id desc);
create index collection_by_amount on collection (merchant_id, amount_minor, created_at desc, id desc);
create index collection_open_until on collection (expires_at) where status = 'toBePaid';
create index collection_by_refund_batch on collection (merchant_id, refund_settlement_id, id)
  where refund_settlement_id is not null;
create index collection_by_reference on collection (merchant_id, bank_reference, id) where bank_reference is not null;
create index collection_by_settlement_status on collection (merchant_id, settlement_status, status, created_at desc, id desc)
  where settlement_status is not null;
create index collection_by_paid_at on collection (merchant_id, status, settlement_status, paid_at desc, id desc)
  where paid_at is not null;
call protect_tenant_table('collection');
grant select, insert, update on collection to hengfu_app, hengfu_system;
create trigger roll_up_new after insert on collection referencing new table as after
  for each statement execute function roll_up_collections();
create trigger roll_up_changed after update on collection referencing old table as before new table as after
  for each statement execute function roll_up_collections();

-- The timeline of an order; append-only.
create table collection_event (
  merchant_id bigint not null,
  collection_id bigint not null,
  id bigserial,
  at timestamptz not null default now(),
  status text not null,
  reason text,
  detail text,
  refusal text,
  primary key (merchant_id, collection_id, id, at),
  foreign key (merchant_id, collection_id) references collection (merchant_id, id)
) partition by range (at);
-- For the status page, which counts failures of the last minutes.
create index collection_event_failed on collection_event (at) where status = 'failed';
call protect_tenant_table('collection_event');
grant select, insert on collection_event to hengfu_app, hengfu_system;
grant usage on sequence collection_event_id_seq to hengfu_app, hengfu_system;
create trigger append_only before delete or update or truncate on collection_event
  for each statement execute function refuse_change();
