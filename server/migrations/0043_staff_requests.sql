-- Four eyes in the back office: what one member of our staff or an operator asks for, and a second one decides. Withdrawals are
-- reviewed there, too.
-- locks: policies and grants change no row; each needs its table for a moment, and the migration gives way if it has to wait.

create table staff_request (
  id bigint generated always as identity primary key,
  kind text not null check (kind <> ''),
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'refused', 'withdrawn', 'expired')),
  -- The merchant that it concerns; null if it concerns the service alone. It belongs to our staff and to no merchant, so it stays in one place
  -- when merchants are distributed.
  about_merchant bigint,
  -- The order, the person or the setting.
  subject text collate "C" not null check (subject <> ''),
  -- Everything that the feature has to know to do it, and the facts that the second person reads: [{"name": "fee", "before": "1.00", "after": "2.00"}].
  change jsonb not null,
  facts jsonb not null,
  reason text not null check (char_length(reason) <= 300),
  -- `staff:<id>` or `operator:<name>`.
  requested_by text not null check (requested_by ~ '^(staff|operator):.'),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- Null for the clock.
  ended_by text,
  end_reason text check (char_length(end_reason) <= 300),
  constraint staff_request_ended check ((state = 'waiting') = (ended_at is null)),
  -- Two people, and the second one has signed in to the back office.
  constraint staff_request_four_eyes check (
    state <> 'approved' or (ended_by is not null and ended_by like 'staff:%' and ended_by <> requested_by))
);
create unique index staff_request_of_subject on staff_request (kind, subject) where state = 'waiting';
create index staff_request_by_state on staff_request (state, id desc);
create index staff_request_due on staff_request (expires_at) where state = 'waiting';
create trigger decided_once before update on staff_request
  for each row when (old.state <> 'waiting') execute function refuse_change();
-- A new request waits, whatever is inserted.
grant select, insert (kind, about_merchant, subject, change, facts, reason, requested_by, expires_at),
  update (state, ended_at, ended_by, end_reason) on staff_request to hengfu_staff;
-- Accounts of our staff are changed in a role of their own.
grant select, update (state, ended_at, ended_by, end_reason) on staff_request to hengfu_accounts;

-- Commands that went without a second person. Everybody of our staff is told.
create table staff_alert (
  id bigint generated always as identity primary key,
  kind text not null check (kind <> ''),
  actor text not null,
  subject text not null,
  reason text not null check (char_length(reason) between 1 and 300),
  at timestamptz(3) not null default now()
);
grant select, insert on staff_alert to hengfu_staff;
create trigger append_only before delete or update or truncate on staff_alert
  for each statement execute function refuse_change();
create table staff_alert_seen (
  alert_id bigint not null references staff_alert,
  staff_id bigint not null references staff_user,
  at timestamptz not null default now(),
  primary key (alert_id, staff_id)
);
grant select, insert on staff_alert_seen to hengfu_staff;
-- For the metrics.
grant select (id, at) on staff_alert to hengfu_overview;
create view staff_alert_count as
  select count(*)::integer as of_hour from staff_alert where at > now() - interval '1 hour';
call give_view('staff_alert_count');

grant select (id, kind, state, about_merchant, subject, created_at) on staff_request to hengfu_overview;
create view staff_waiting_request as
  select id, kind, about_merchant as merchant_id, subject, created_at from staff_request where state = 'waiting';
call give_view('staff_waiting_request');

-- The review of withdrawals.
create policy staff on withdrawal to hengfu_staff using (merchant_id = current_merchant());
grant select, update (status, transaction_id, reject_reason, approval_state, reviewed_at, paid_at) on withdrawal to hengfu_staff;
grant insert on chain_transaction to hengfu_staff;
-- A rejected withdrawal ends the request that its merchant may have for it.
create policy staff on approval_request to hengfu_staff using (merchant_id = current_merchant());
grant select (merchant_id, id, kind, subject_no, state), update (state, ended_at, ended_by, reason) on approval_request to hengfu_staff;

call open_to_overview('withdrawal', 'id, fee_usdt_minor, currency, amount_minor, fee_minor, usd_minor, usdt_rate, usd_rate, network,
  address, transaction_id, reject_reason, approval_state, created_by, reviewed_at, paid_at');
create view staff_withdrawal as
  select w.merchant_id, w.id, w.trade_no, w.status, w.usdt_minor, w.fee_usdt_minor, w.currency, w.amount_minor, w.fee_minor,
    w.usd_minor, w.usdt_rate, w.usd_rate, w.network, w.address, w.transaction_id, w.reject_reason, w.approval_state, w.created_by,
    w.created_at, w.reviewed_at, w.paid_at, m.code as merchant_code, m.name as merchant_name,
    case when w.network in ('ERC20', 'BEP20') then lower(w.address) else w.address end as wallet
  from withdrawal w join merchant m on m.id = w.merchant_id;
call give_view('staff_withdrawal');
-- No money leaves a merchant that is suspended.
create policy staff on merchant for select to hengfu_staff using (id = current_merchant());
grant select (id, suspended_at) on merchant to hengfu_staff;

-- The orders of all live merchants that channels decided, by the hour, as far back as the minutes are kept.
grant select (minute, channel, kind, is_paid, orders) on channel_minute to hengfu_overview;
create view staff_channel_hour as
  select date_trunc('hour', minute) as hour, channel, kind,
    coalesce(sum(orders) filter (where is_paid), 0)::bigint as paid,
    coalesce(sum(orders) filter (where not is_paid), 0)::bigint as refused
  from channel_minute group by 1, 2, 3;
call give_view('staff_channel_hour');
