-- Rules for refunds, and for what goes to an account that the merchant does not know yet.
-- locks: columns without a volatile default change no row; the new checks are valid for every row that is there.

alter table approval_rule drop constraint approval_rule_kind_check;
alter table approval_rule add constraint approval_rule_kind_check
  check (kind in ('payout', 'withdrawal', 'batch', 'refund', 'payee')) not valid;
alter table approval_rule validate constraint approval_rule_kind_check;

alter table approval_request drop constraint approval_request_kind_check;
alter table approval_request add constraint approval_request_kind_check
  check (kind in ('payout', 'batch', 'withdrawal', 'refund', 'rules', 'team')) not valid;
alter table approval_request validate constraint approval_request_kind_check;
-- The part that went to unknown accounts, with what was sent to such accounts within 24 hours; null if there is none.
alter table approval_request add column counted_new_minor bigint;

-- A refund that was not approved can be asked for again.
create unique index approval_request_of_order on approval_request (merchant_id, kind, subject_no)
  where subject_no is not null and (kind <> 'refund' or state = 'waiting');
drop index approval_request_of_subject;
create index approval_request_by_subject on approval_request (merchant_id, subject_no) where subject_no is not null;

-- The state of the last request for a refund; null if no rule covers it.
alter table collection add column refund_approval_state text;
alter table collection add constraint collection_refund_approval_state
  check (refund_approval_state in ('waiting', 'approved', 'refused', 'withdrawn', 'expired')) not valid;
alter table collection validate constraint collection_refund_approval_state;
create trigger hold_unapproved before update of refund_requested_at on collection
  for each row when (new.refund_requested_at is not null and new.refund_approval_state <> 'approved')
  execute function hold_unapproved_refund();

-- The person who made the key; null if an operator did, or a version before this one.
alter table access_key add column created_by bigint;

-- Somebody who has approved may have second thoughts: a refusal stands beside the approval.
alter table approval_decision drop constraint approval_decision_pkey;
alter table approval_decision add primary key (merchant_id, request_id, user_id, verdict);

-- contract: no released version calls it. Created again with other parameters.
drop function if exists ask_approval(bigint, text, text, bigint, text, text, text, text);
