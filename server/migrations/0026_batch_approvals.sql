-- Approval of batches as a whole, or with rows that an approver excludes. The rows of a batch that waits become payouts at
-- once, which wait with it and have no requests of their own.
-- locks: columns without a volatile default change no row; the checks are valid for every row that is there.

alter table approval_rule drop constraint approval_rule_kind_check;
alter table approval_rule add constraint approval_rule_kind_check check (kind in ('payout', 'withdrawal', 'batch')) not valid;
alter table approval_rule validate constraint approval_rule_kind_check;

alter table approval_request drop constraint approval_request_kind_check;
alter table approval_request add constraint approval_request_kind_check
  check (kind in ('payout', 'withdrawal', 'batch', 'rules')) not valid;
alter table approval_request validate constraint approval_request_kind_check;
-- Rules for payouts cover a batch, too. The amount that they were compared with; null for other kinds.
alter table approval_request add column counted_payouts_minor bigint;

-- Rows of a batch that an approver excludes: their payouts are rejected, although the request is approved.
create table approval_exclusion (
  merchant_id bigint not null,
  request_id bigint not null,
  line integer not null check (line > 0),
  user_id bigint not null,
  reason text not null check (char_length(reason) between 1 and 200),
  at timestamptz not null default now(),
  primary key (merchant_id, request_id, line, user_id),
  foreign key (merchant_id, request_id) references approval_request,
  foreign key (merchant_id, user_id) references membership
);
call protect_tenant_table('approval_exclusion');
call open_to_intake('approval_exclusion');
grant select, insert on approval_exclusion to hengfu_app, hengfu_system;
grant select on approval_exclusion to hengfu_intake;
create trigger append_only before delete or update or truncate on approval_exclusion
  for each statement execute function refuse_change();

-- Null if no rule covers it.
alter table payout_batch add column approval_state text;
alter table payout_batch add constraint payout_batch_approval_state
  check (approval_state in ('waiting', 'approved', 'refused', 'withdrawn', 'expired')) not valid;
alter table payout_batch validate constraint payout_batch_approval_state;
call open_to_intake('payout_batch');
grant select (merchant_id, batch_no, approval_state) on payout_batch to hengfu_intake;
