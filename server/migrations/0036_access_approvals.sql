-- Rules for settings: changes of the access key and of the whitelist, and every change of the team, wait for approval if a rule asks for it.
-- locks: columns without a volatile default change no row; the new checks are valid for every row that is there. The index covers few rows.

alter table approval_rule drop constraint approval_rule_kind_check;
alter table approval_rule add constraint approval_rule_kind_check
  check (kind in ('payout', 'withdrawal', 'batch', 'refund', 'payee', 'access', 'team')) not valid;
alter table approval_rule validate constraint approval_rule_kind_check;
-- Settings have no amount.
alter table approval_rule add constraint approval_rule_of_settings
  check (kind not in ('access', 'team') or amount_minor = 0) not valid;
alter table approval_rule validate constraint approval_rule_of_settings;

alter table approval_request drop constraint approval_request_kind_check;
alter table approval_request add constraint approval_request_kind_check
  check (kind in ('payout', 'batch', 'withdrawal', 'refund', 'rules', 'team', 'access')) not valid;
alter table approval_request validate constraint approval_request_kind_check;
alter table approval_request drop constraint approval_request_subject;
alter table approval_request add constraint approval_request_subject check (
  (subject_no is null) = (kind in ('rules', 'team', 'access')) and (subject_no is null) = (change is not null)) not valid;
alter table approval_request validate constraint approval_request_subject;

-- The kind of rules that have to approve a change of settings; null if all rules have to.
alter table approval_request add column rule_kind text;
alter table approval_request add constraint approval_request_rule_kind
  check (rule_kind is null or subject_no is null and rule_kind in ('access', 'team')) not valid;
alter table approval_request validate constraint approval_request_rule_kind;

-- One request at a time for the access key, and one for the whitelist.
create unique index approval_request_of_access on approval_request (merchant_id, (change ->> 'setting'))
  where kind = 'access' and state = 'waiting';
