-- Approval by a second person: rules, the requests that they ask for, and who decided them. An order that a rule covers is an
-- order at once, with its funds locked; only its dispatch waits.
-- locks: columns without a volatile default change no row; the checks are valid for every row that is there.

alter table merchant add column approval_days integer not null default 7 check (approval_days between 1 and 30);
grant select (approval_days) on merchant to hengfu_app, hengfu_intake;

-- A rule is never changed: it ends, and another one begins.
create table approval_rule (
  merchant_id bigint not null references merchant,
  id bigint generated always as identity,
  kind text not null check (kind in ('payout', 'withdrawal')),
  -- It covers orders of this amount and above, in the merchant's currency.
  amount_minor bigint not null check (amount_minor >= 0),
  approvers integer not null check (approvers between 1 and 3),
  roles text[] not null,
  people bigint[] not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (merchant_id, id),
  constraint approval_rule_names_somebody check (cardinality(roles) + cardinality(people) > 0)
);
create unique index approval_rule_current on approval_rule (merchant_id, kind, amount_minor) where ended_at is null;
call protect_tenant_table('approval_rule');
call open_to_intake('approval_rule');
grant select, insert, update on approval_rule to hengfu_app, hengfu_system;
grant select on approval_rule to hengfu_intake;

-- Sums of the orders that were sent without approval, by the hour: to each account, and by each requester. The sums of 24 hours count toward the
-- rules, so that nobody can split a payment. Kept only for merchants that have rules.
create table approval_sum (
  merchant_id bigint not null references merchant,
  kind text not null,
  -- `payee <account>` or `requester <actor>`.
  party text collate "C" not null,
  hour timestamptz not null,
  amount_minor bigint not null check (amount_minor >= 0),
  primary key (merchant_id, kind, party, hour)
);
create index approval_sum_age on approval_sum (hour);
call protect_tenant_table('approval_sum');
call open_to_intake('approval_sum');
grant select, insert, update on approval_sum to hengfu_app, hengfu_intake, hengfu_system;
grant delete on approval_sum to hengfu_system;

create table approval_request (
  merchant_id bigint not null references merchant,
  id bigint generated always as identity,
  request_no text collate "C" not null,
  kind text not null check (kind in ('payout', 'withdrawal', 'rules')),
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'refused', 'withdrawn', 'expired')),
  -- The order's number; null for a change of the rules, which is in `change`.
  subject_no text collate "C",
  change jsonb,
  currency text not null,
  amount_minor bigint,
  -- The amount that the rules were compared with: with what was sent within 24 hours, if that is why a rule covers it.
  counted_minor bigint not null,
  -- The payee with the account, or the wallet.
  target text,
  -- `user:<id>` or `key:<id>`.
  requested_by text not null,
  -- The rules that covered it then: [{"approvers": 1, "roles": [], "people": []}].
  rules jsonb not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- The actor that ended it: `user:<id>`, `operator:<name>`, or null for the clock.
  ended_by text,
  reason text,
  primary key (merchant_id, id),
  constraint approval_request_no unique (merchant_id, request_no),
  constraint approval_request_ended check ((state = 'waiting') = (ended_at is null)),
  constraint approval_request_subject check ((kind = 'rules') = (subject_no is null) and (kind = 'rules') = (change is not null))
);
create unique index approval_request_of_subject on approval_request (merchant_id, kind, subject_no) where subject_no is not null;
create unique index approval_request_of_rules on approval_request (merchant_id) where kind = 'rules' and state = 'waiting';
create index approval_request_newest on approval_request (merchant_id, created_at desc, id desc);
create index approval_request_by_state on approval_request (merchant_id, state, created_at desc, id desc);
create index approval_request_by_requester on approval_request (merchant_id, requested_by, created_at desc, id desc);
create index approval_request_due on approval_request (expires_at) where state = 'waiting';
call protect_tenant_table('approval_request');
call open_to_intake('approval_request');
grant select, insert, update on approval_request to hengfu_app, hengfu_system;
grant select, insert on approval_request to hengfu_intake;

create table approval_decision (
  merchant_id bigint not null,
  request_id bigint not null,
  user_id bigint not null,
  verdict text not null check (verdict in ('approved', 'refused')),
  reason text,
  at timestamptz not null default now(),
  primary key (merchant_id, request_id, user_id),
  foreign key (merchant_id, request_id) references approval_request,
  foreign key (merchant_id, user_id) references membership
);
call protect_tenant_table('approval_decision');
grant select, insert on approval_decision to hengfu_app, hengfu_system;
create trigger append_only before delete or update or truncate on approval_decision
  for each statement execute function refuse_change();

-- Null if no rule covers it.
alter table payout add column approval_state text;
alter table payout add constraint payout_approval_state
  check (approval_state in ('waiting', 'approved', 'refused', 'withdrawn', 'expired')) not valid;
alter table payout validate constraint payout_approval_state;
grant update (approval_state) on payout to hengfu_intake;
alter table withdrawal add column approval_state text;
alter table withdrawal add constraint withdrawal_approval_state
  check (approval_state in ('waiting', 'approved', 'refused', 'withdrawn', 'expired')) not valid;
alter table withdrawal validate constraint withdrawal_approval_state;
create trigger hold_unapproved before update of status on withdrawal
  for each row when (new.status in ('approved', 'paid')) execute function hold_unapproved_withdrawal();

call open_to_intake('notice');
grant select, insert on notice to hengfu_intake;
