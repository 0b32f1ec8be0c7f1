-- Payouts: money sent to payees. Amount and fee are locked when a payout is accepted; once processed they leave, if
-- rejected they return. Batches of payouts, receipts, and replies to repeated calls.

create table payout_batch (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  batch_no text collate "C" not null,
  name text not null,
  channel text not null references channel,
  currency text not null,
  -- Hash of the rows' contents: detects a file that is submitted twice.
  content_hash bytea not null,
  row_count integer not null check (row_count > 0),
  amount_minor bigint not null check (amount_minor > 0),
  fee_minor bigint not null check (fee_minor >= 0),
  -- `user:<id>`.
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  -- Set when the batch is finished; until then, rows are counted.
  taken_count integer,
  failed_count integer,
  -- When the merchant was notified of the outcome. Payouts rejected before that are part of the batch's notification.
  told_at timestamptz(3),
  primary key (merchant_id, id),
  constraint payout_batch_no unique (merchant_id, batch_no),
  constraint payout_batch_finished_is_counted check (
    case when finished_at is null then taken_count is null and failed_count is null
    else coalesce(taken_count + failed_count, -1) = row_count end)
);
create index payout_batch_newest on payout_batch (merchant_id, created_at desc, id desc);
create index payout_batch_by_content on payout_batch (merchant_id, content_hash);
call protect_tenant_table('payout_batch');
grant select, insert, update on payout_batch to hengfu_app, hengfu_system;

create table payout (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  trade_no text collate "C" not null,
  -- The merchant's own number; required through the Open API.
  out_trade_no text collate "C",
  request_hash bytea not null,
  status text not null default 'pending'
    check (status in ('pending', 'processing', 'processed', 'rejected', 'pendingSettlement')),
  currency text not null,
  amount_minor bigint not null check (amount_minor > 0),
  fee_minor bigint not null check (fee_minor >= 0),
  channel text not null references channel,
  payee text not null,
  payee_account text not null,
  -- The account without separators: two spellings of one account are the same.
  account_key text not null,
  bank text,
  bank_name text,
  branch_name text,
  ifsc text,
  account_type text,
  tax_id text,
  remark text,
  notify_url text,
  source text not null check (source in ('console', 'openApi')),
  -- `user:<id>` or `key:<id>`.
  created_by text not null,
  bank_reference text,
  reject_reason text,
  created_at timestamptz(3) not null default now(),
  -- From then on, the channel may have received it: its outcome is queried, and it is never sent again.
  sent_at timestamptz(3),
  paid_at timestamptz(3),
  rejected_at timestamptz(3),
  batch_no text collate "C",
  batch_line integer,
  reject_code text,
  primary key (merchant_id, id),
  constraint payout_out_trade_no unique (merchant_id, out_trade_no),
  constraint payout_trade_no unique (merchant_id, trade_no),
  foreign key (merchant_id, batch_no) references payout_batch (merchant_id, batch_no),
  constraint payout_batch_has_line check ((batch_no is null) = (batch_line is null)),
  constraint payout_paid_has_time check ((status = 'processed') = (paid_at is not null)),
  constraint payout_rejected_has_time check ((status = 'rejected') = (rejected_at is not null)),
  constraint payout_sent_has_time check (status in ('pending', 'rejected') or sent_at is not null)
);
-- A row becomes at most one payout.
create unique index payout_batch_line on payout (merchant_id, batch_no, batch_line) where batch_no is not null;
create index payout_newest on payout (merchant_id, created_at desc, id desc);
create index payout_by_status on payout (merchant_id, status, created_at desc, id desc);
create index payout_by_channel on payout (merchant_id, channel, created_at desc, id desc);
create index payout_by_amount on payout (merchant_id, amount_minor, created_at desc, id desc);
create index payout_by_paid_at on payout (merchant_id, paid_at desc, id desc) where paid_at is not null;
create index payout_by_payee on payout (merchant_id, payee, created_at desc, id desc);
create index payout_by_account on payout (merchant_id, account_key, created_at desc, id desc);
create index payout_under_way on payout (created_at) where status in ('pending', 'processing', 'pendingSettlement');
create index payout_by_batch on payout (merchant_id, batch_no, created_at desc, id desc) where batch_no is not null;
create index payout_rejected_at on payout (rejected_at) where rejected_at is not null;
create index payout_by_reference on payout (merchant_id, bank_reference, id) where bank_reference is not null;
call protect_tenant_table('payout');
call open_to_intake('payout');
grant select, insert, update on payout to hengfu_app, hengfu_system;
grant select, insert on payout to hengfu_intake;
create trigger hold_unsent before update of status on payout
  for each row when (old.status = 'pending' and new.status = 'pendingSettlement') execute function hold_unsent_payout();
create trigger note_parties after insert on payout referencing new table as added
  for each statement execute function note_payout_parties();
create trigger roll_up_new after insert on payout referencing new table as after
  for each statement execute function roll_up_payouts();
create trigger roll_up_changed after update on payout referencing old table as before new table as after
  for each statement execute function roll_up_payouts();

create table payout_event (
  merchant_id bigint not null,
  payout_id bigint not null,
  id bigserial,
  at timestamptz not null default now(),
  status text not null,
  reason text,
  detail text,
  refusal text,
  primary key (merchant_id, payout_id, id, at),
  foreign key (merchant_id, payout_id) references payout (merchant_id, id)
) partition by range (at);
call protect_tenant_table('payout_event');
call open_to_intake('payout_event');
grant select, insert on payout_event to hengfu_app, hengfu_system;
grant insert on payout_event to hengfu_intake;
grant usage on sequence payout_event_id_seq to hengfu_app, hengfu_intake, hengfu_system;
create trigger append_only before delete or update or truncate on payout_event
  for each statement execute function refuse_change();

-- Payees and their accounts, once per merchant. A search by prefix reads these few rows instead of all payouts, which
-- need no index of their own for it.
create table payout_party (
  merchant_id bigint not null references merchant,
  search_key text collate "C" not null,
  -- The column of `payout` that holds the value.
  field text not null check (field in ('payee', 'account_key')),
  value text not null,
  primary key (merchant_id, search_key, field, value)
);
call protect_tenant_table('payout_party');
call open_to_intake('payout_party');
grant select, insert on payout_party to hengfu_app, hengfu_intake, hengfu_system;

-- How often the links to a payout's receipt have been revoked. A link contains the number at its creation and works only
-- as long as it is current. So a revocation invalidates all links of a payout, and creating a link writes nothing here.
create table payout_slip_revocation (
  merchant_id bigint not null references merchant,
  payout_id bigint not null,
  times integer not null check (times > 0),
  revoked_at timestamptz not null default now(),
  primary key (merchant_id, payout_id),
  foreign key (merchant_id, payout_id) references payout (merchant_id, id)
);
call protect_tenant_table('payout_slip_revocation');
grant select, insert, update on payout_slip_revocation to hengfu_app, hengfu_system;

create table payout_batch_row (
  merchant_id bigint not null,
  batch_id bigint not null,
  line integer not null,
  fields jsonb not null,
  -- Confirmed by the person although it resembles an earlier payout.
  means_similar boolean not null,
  state text not null default 'waiting' check (state in ('waiting', 'taken', 'failed')),
  trade_no text collate "C",
  reason text,
  try_at timestamptz not null default now(),
  tries integer not null default 0,
  primary key (merchant_id, batch_id, line),
  constraint payout_batch_row_payout unique (merchant_id, trade_no),
  foreign key (merchant_id, batch_id) references payout_batch (merchant_id, id),
  constraint payout_batch_row_failed_has_reason check ((state = 'failed') = (reason is not null)),
  constraint payout_batch_row_taken_has_payout check ((state = 'taken') = (trade_no is not null))
);
create index payout_batch_row_waiting on payout_batch_row (merchant_id, batch_id, line) where state = 'waiting';
create index payout_batch_row_failed on payout_batch_row (merchant_id, batch_id, line) where state = 'failed';
call protect_tenant_table('payout_batch_row');
grant select, insert, update on payout_batch_row to hengfu_app, hengfu_system;

-- Replies to calls that move money, by a hash of the idempotency key: a repeated call gets the same reply.
create table idempotent_reply (
  merchant_id bigint not null references merchant,
  user_id bigint not null,
  key_hash bytea not null,
  request_hash bytea not null,
  reply jsonb not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, user_id, key_hash),
  foreign key (merchant_id, user_id) references membership
);
create index idempotent_reply_age on idempotent_reply (created_at);
call protect_tenant_table('idempotent_reply');
grant select, insert on idempotent_reply to hengfu_app;
grant select, insert, delete on idempotent_reply to hengfu_system;

-- A request for a payout, as accept_payouts takes it. `means_similar`: confirmed although it resembles an earlier payout.
-- `from_request`, `from_address`: the signed call, for the audit trail; the console's calls write their own audit rows.
create type payout_application as (
  merchant_id bigint, out_trade_no text, request_hash bytea, currency text, amount_minor bigint, channel text, payee text,
  payee_account text, account_key text, bank text, bank_name text, branch_name text, ifsc text, account_type text,
  tax_id text, remark text, notify_url text, source text, created_by text, batch_no text, batch_line integer,
  means_similar boolean, from_address inet, from_request text
);
-- The outcome of application number `line`, and the payout that was accepted or the earlier one that blocks it.
create type payout_decision as (line integer, outcome text, held payout);
