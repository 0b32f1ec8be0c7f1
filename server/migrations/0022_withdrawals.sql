-- Withdrawals in USDT: amount and fee are locked at application; paid, they leave; rejected, they return.

-- Home currency for one USDT, from an instant on; earlier rates stay for whoever asks what held then.
create table exchange_rate (
  currency text not null,
  valid_from timestamptz not null default now(),
  usdt_rate numeric(20, 8) not null check (usdt_rate > 0),
  primary key (currency, valid_from)
);
grant select on exchange_rate to hengfu_app;
grant select, insert on exchange_rate to hengfu_system;

create table withdrawal_terms (
  merchant_id bigint not null references merchant,
  valid_from timestamptz not null default now(),
  fee_usdt_minor bigint not null check (fee_usdt_minor >= 0),
  free_per_day integer not null check (free_per_day >= 0),
  minimum_usdt_minor bigint not null check (minimum_usdt_minor >= 0),
  primary key (merchant_id, valid_from)
);
call protect_tenant_table('withdrawal_terms');
grant select on withdrawal_terms to hengfu_app;
grant select, insert on withdrawal_terms to hengfu_system;

create table withdrawal (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  trade_no text not null,
  request_hash bytea not null,
  status text not null default 'pendingReview' check (status in ('pendingReview', 'approved', 'paid', 'rejected')),
  usdt_minor bigint not null check (usdt_minor > 0),
  fee_usdt_minor bigint not null check (fee_usdt_minor >= 0),
  currency text not null,
  amount_minor bigint not null check (amount_minor > 0),
  fee_minor bigint not null check (fee_minor >= 0),
  usdt_rate numeric(20, 8) not null,
  network text not null,
  address text not null,
  transaction_id text,
  reject_reason text,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  reviewed_at timestamptz(3),
  paid_at timestamptz(3),
  primary key (merchant_id, id),
  constraint withdrawal_trade_no unique (trade_no),
  -- One transaction of a chain pays one withdrawal.
  constraint withdrawal_transaction unique (network, transaction_id),
  constraint withdrawal_paid_has_transaction
    check ((status = 'paid') = (paid_at is not null) and (status = 'paid') = (transaction_id is not null)),
  constraint withdrawal_reviewed_has_time check ((status <> 'pendingReview') = (reviewed_at is not null))
);
create index withdrawal_newest on withdrawal (merchant_id, created_at desc, id desc);
create index withdrawal_by_status on withdrawal (merchant_id, status, created_at desc, id desc);
create index withdrawal_by_address on withdrawal (merchant_id, address, created_at desc, id desc);
create index withdrawal_open on withdrawal (created_at) where status in ('pendingReview', 'approved');
call protect_tenant_table('withdrawal');
grant select, insert, update on withdrawal to hengfu_app, hengfu_system;

create function withdrawal_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'withdrawal_ends_once', format('%s is %s: %s locked, %s paid, %s given back', w.trade_no, w.status,
        count(locked.id), count(paid.id), count(back.id))
      from withdrawal w
      left join ledger_transfer locked on locked.merchant_id = w.merchant_id and locked.idempotency_key = 'withdrawal:' || w.trade_no
      left join ledger_transfer paid on paid.merchant_id = w.merchant_id and paid.idempotency_key = 'withdrawal_payment:' || w.trade_no
      left join ledger_transfer back on back.merchant_id = w.merchant_id and back.idempotency_key = 'withdrawal_refund:' || w.trade_no
      group by w.trade_no, w.status
      having count(locked.id) <> 1 or count(paid.id) <> (w.status = 'paid')::int or count(back.id) <> (w.status = 'rejected')::int
    union all
    select 'posting_has_withdrawal', t.idempotency_key
      from ledger_transfer t
      left join withdrawal w on w.merchant_id = t.merchant_id and w.trade_no = t.subject_no
      where t.type in ('withdrawal', 'withdrawal_payment', 'withdrawal_refund') and w.id is null
    union all
    select 'locked_is_sum_of_orders', format('merchant %s %s: ledger %s, orders %s', l.merchant_id, l.currency, l.balance_minor, coalesce(o.open, 0))
      from ledger_account l
      left join (
        select merchant_id, currency, sum(minor) as open from (
          select merchant_id, currency, amount_minor + fee_minor as minor from payout
            where status in ('pending', 'processing', 'pendingSettlement')
          union all
          select merchant_id, currency, amount_minor + fee_minor from withdrawal where status in ('pendingReview', 'approved')) open
        group by merchant_id, currency) o
        on o.merchant_id = l.merchant_id and o.currency = l.currency
      where l.kind = 'locked' and l.balance_minor <> coalesce(o.open, 0)
  $$;

-- What is locked is told for payouts and withdrawals together, above.
do $$
declare
  body text := pg_get_functiondef('payout_violations'::regproc);
  from_at integer := position('    select ''locked_is_sum_of_orders''' in body);
  to_at integer := position('    select ''payout_rollup_is_sum_of_orders''' in body);
begin
  execute overlay(body placing '' from from_at for to_at - from_at);
end $$;
