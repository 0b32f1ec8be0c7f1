-- Refunds as orders of their own: a collection can be given back in parts, each under its own number.
-- locks: the new columns have constant defaults, which change no row.
alter table merchant_terms
  -- Whether the fee stays with the service when a payment is given back. It is then the merchant's cost.
  add column refund_fee_kept boolean not null default false,
  -- Whether a refund may take from available funds what unsettled funds do not cover.
  add column refund_from_available boolean not null default false;

alter table collection
  -- The sum given back, with the part of the fee that was returned with it; and likewise the sum under way.
  add column refunded_minor bigint not null default 0,
  add column refunded_fee_minor bigint not null default 0,
  add column refunding_minor bigint not null default 0,
  add column refunding_fee_minor bigint not null default 0,
  -- Given back as a whole before a settlement, at the same cost as it had brought: neither it nor its refunds are ever settled.
  add column never_settles boolean not null default false,
  -- The approval of its latest refund; null if no rule covered it.
  add column latest_refund_approval text
    check (latest_refund_approval in ('waiting', 'approved', 'refused', 'withdrawn', 'expired'));
alter table collection add constraint collection_refunds_within_amount check (
  refunded_minor >= 0 and refunding_minor >= 0 and refunded_minor + refunding_minor <= amount_minor
  and refunded_fee_minor >= 0 and refunding_fee_minor >= 0 and refunded_fee_minor + refunding_fee_minor <= fee_minor) not valid;

create table refund (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  -- The collection's number with "-R" and a running number: the channel knows the refund by it.
  refund_no text collate "C" not null,
  -- The merchant's own number; null if its system gave none.
  out_refund_no text collate "C",
  -- SHA-256 of the request, likewise.
  request_hash bytea,
  collection_id bigint not null,
  -- 'requested' while it waits for approval, and nothing is posted; 'processing' from its posting on.
  status text not null check (status in ('requested', 'processing', 'refunded', 'failed')),
  currency text not null,
  amount_minor bigint not null check (amount_minor > 0),
  -- The part of the fee that is returned with it.
  fee_minor bigint not null default 0,
  -- The part that was taken from available funds.
  available_minor bigint not null default 0,
  channel text not null references channel,
  reason text,
  -- `user:<id>`, `key:<id>` or 'service'.
  requested_by text not null,
  -- Null if no rule of the merchant covers it.
  approval_state text check (approval_state in ('waiting', 'approved', 'refused', 'withdrawn', 'expired')),
  failure_code text check (failure_code in ('notApproved', 'withdrawn', 'expired', 'channelRefused', 'neverArrived')),
  -- The channel's own words, for support.
  failure_reason text,
  created_at timestamptz(3) not null default now(),
  -- When the channel was first called.
  sent_at timestamptz(3),
  -- When it was refunded, or had failed.
  ended_at timestamptz(3),
  -- The settlement that deducted it from other payments.
  settlement_id bigint,
  never_settles boolean not null default false,
  primary key (merchant_id, id),
  constraint refund_number unique (merchant_id, refund_no),
  constraint refund_out_refund_no unique (merchant_id, out_refund_no),
  foreign key (merchant_id, collection_id) references collection (merchant_id, id),
  foreign key (merchant_id, settlement_id) references settlement (merchant_id, id),
  constraint refund_parts check (fee_minor between 0 and amount_minor and available_minor between 0 and amount_minor - fee_minor),
  constraint refund_ended_has_time check ((status in ('refunded', 'failed')) = (ended_at is not null)),
  constraint refund_failed_has_code check ((status = 'failed') = (failure_code is not null)),
  constraint refund_settled_is_refunded check (settlement_id is null or status = 'refunded' and not never_settles)
);
create index refund_newest on refund (merchant_id, created_at desc, id desc);
create index refund_by_status on refund (merchant_id, status, created_at desc, id desc);
create index refund_by_collection on refund (merchant_id, collection_id, id);
create index refund_by_amount on refund (merchant_id, amount_minor, created_at desc, id desc);
create index refund_to_settle on refund (merchant_id, ended_at)
  where status = 'refunded' and settlement_id is null and not never_settles;
create index refund_by_batch on refund (merchant_id, settlement_id, id) where settlement_id is not null;
create index refund_without_approval on refund (merchant_id, created_at) where approval_state is null;
call protect_tenant_table('refund');
grant select, insert, update on refund to hengfu_app, hengfu_system;

create trigger hold_unapproved before insert or update on refund
  for each row when (new.status in ('processing', 'refunded') and new.approval_state <> 'approved')
  execute function hold_unapproved_part();
create trigger roll_up_new after insert on refund referencing new table as after
  for each statement execute function roll_up_refunds();
create trigger roll_up_changed after update on refund referencing old table as before new table as after
  for each statement execute function roll_up_refunds();
-- While the version before still runs, it refunds whole collections by their own columns.
create trigger follow_old_refund before update on collection
  for each row when (new.refund_requested_at is distinct from old.refund_requested_at
    or new.refund_approval_state is distinct from old.refund_approval_state
    or new.refund_settlement_id is distinct from old.refund_settlement_id or new.refunded_at is distinct from old.refunded_at)
  execute function follow_old_refund();
