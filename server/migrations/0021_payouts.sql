-- Payouts: money sent to payees. Amount and fee are locked at application; processed, they leave; rejected, they return.

create table payout (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  trade_no text not null,
  -- The merchant's own number; its programs always give one.
  out_trade_no text,
  request_hash bytea not null,
  status text not null default 'pending'
    check (status in ('pending', 'processing', 'processed', 'rejected', 'pendingSettlement')),
  currency text not null,
  amount_minor bigint not null check (amount_minor > 0),
  fee_minor bigint not null check (fee_minor >= 0),
  channel text not null references channel,
  payee text not null,
  payee_account text not null,
  -- The account without what people put in to read it: two spellings are one account.
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
  -- From here on it may have reached the channel: it is asked for, and never sent again.
  sent_at timestamptz(3),
  paid_at timestamptz(3),
  rejected_at timestamptz(3),
  primary key (merchant_id, id),
  constraint payout_trade_no unique (trade_no),
  constraint payout_out_trade_no unique (merchant_id, out_trade_no),
  constraint payout_paid_has_time check ((status = 'processed') = (paid_at is not null)),
  constraint payout_rejected_has_time check ((status = 'rejected') = (rejected_at is not null)),
  constraint payout_sent_has_time check (status in ('pending', 'rejected') or sent_at is not null)
);
create index payout_newest on payout (merchant_id, created_at desc, id desc);
create index payout_by_status on payout (merchant_id, status, created_at desc, id desc);
create index payout_by_channel on payout (merchant_id, channel, created_at desc, id desc);
create index payout_by_amount on payout (merchant_id, amount_minor, created_at desc, id desc);
create index payout_by_paid_at on payout (merchant_id, paid_at desc, id desc) where paid_at is not null;
create index payout_by_payee on payout (merchant_id, payee, created_at desc, id desc);
create index payout_by_account on payout (merchant_id, account_key, created_at desc, id desc);
create index payout_under_way on payout (created_at) where status in ('pending', 'processing', 'pendingSettlement');
call protect_tenant_table('payout');
grant select, insert, update on payout to hengfu_app, hengfu_system;

create table payout_event (
  merchant_id bigint not null,
  payout_id bigint not null,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  status text not null,
  reason text,
  detail text,
  primary key (merchant_id, payout_id, id),
  foreign key (merchant_id, payout_id) references payout (merchant_id, id)
);
call protect_tenant_table('payout_event');
grant select, insert on payout_event to hengfu_app, hengfu_system;
create trigger append_only before update or delete or truncate on payout_event
  for each statement execute function refuse_change();

-- Replies to calls that move money, by a hash of the caller's key: the same call again gets the same reply.
create table idempotent_reply (
  merchant_id bigint not null references merchant,
  user_id bigint not null references app_user,
  key_hash bytea not null,
  request_hash bytea not null,
  reply jsonb not null,
  created_at timestamptz not null default now(),
  primary key (user_id, key_hash)
);
create index idempotent_reply_age on idempotent_reply (created_at);
call protect_tenant_table('idempotent_reply');
grant select, insert on idempotent_reply to hengfu_app;
grant select, insert, delete on idempotent_reply to hengfu_system;

-- Where payouts and ledger disagree, one row per violation; empty on a sound system.
create function payout_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'payout_is_locked_once', format('%s: %s postings', p.trade_no, count(t.id))
      from payout p
      left join ledger_transfer t on t.merchant_id = p.merchant_id and t.idempotency_key = 'payout_deduction:' || p.trade_no
      group by p.trade_no having count(t.id) <> 1
    union all
    select 'payout_ends_once', format('%s is %s: %s paid, %s given back', p.trade_no, p.status, count(paid.id), count(back.id))
      from payout p
      left join ledger_transfer paid on paid.merchant_id = p.merchant_id and paid.idempotency_key = 'payout_payment:' || p.trade_no
      left join ledger_transfer back on back.merchant_id = p.merchant_id and back.idempotency_key = 'payout_refund:' || p.trade_no
      group by p.trade_no, p.status
      having count(paid.id) <> (p.status = 'processed')::int or count(back.id) <> (p.status = 'rejected')::int
    union all
    select 'posting_has_payout', t.idempotency_key
      from ledger_transfer t
      left join payout p on p.merchant_id = t.merchant_id and p.trade_no = t.subject_no
      where t.type in ('payout_deduction', 'payout_payment', 'payout_refund') and p.id is null
    union all
    select 'deduction_is_amount_and_fee', format('%s: posted %s, payout %s', p.trade_no, e.amount_minor, p.amount_minor + p.fee_minor)
      from payout p
      join ledger_transfer t on t.merchant_id = p.merchant_id and t.idempotency_key = 'payout_deduction:' || p.trade_no
      join ledger_entry e on e.transfer_id = t.id
      join ledger_account a on a.id = e.account_id and a.kind = 'locked'
      where e.amount_minor <> p.amount_minor + p.fee_minor
    union all
    select 'locked_is_sum_of_orders', format('merchant %s %s: ledger %s, payouts %s', l.merchant_id, l.currency, l.balance_minor, coalesce(o.open, 0))
      from ledger_account l
      left join (
        select merchant_id, currency, sum(amount_minor + fee_minor) as open from payout
        where status in ('pending', 'processing', 'pendingSettlement') group by merchant_id, currency) o
        on o.merchant_id = l.merchant_id and o.currency = l.currency
      where l.kind = 'locked' and l.balance_minor <> coalesce(o.open, 0)
    union all
    select 'payout_rollup_is_sum_of_orders', format('merchant %s bucket %s', coalesce(r.merchant_id, o.merchant_id), coalesce(r.bucket, o.bucket))
      from (
        select merchant_id, currency, bucket, sum(created_count) as created, sum(created_amount_minor) as created_amount,
          sum(created_succeeded_count) as succeeded, sum(created_lost_count) as lost,
          sum(done_count) as done, sum(done_amount_minor) as done_amount, sum(fee_minor) as fee
        from order_rollup where kind = 'payout' group by merchant_id, currency, bucket) r
      full join (
        select merchant_id, currency, bucket, sum(created) as created, sum(created_amount) as created_amount,
          sum(succeeded) as succeeded, sum(lost) as lost, sum(done) as done, sum(done_amount) as done_amount, sum(fee) as fee
        from (
          select merchant_id, currency, rollup_bucket(created_at) as bucket, 1 as created, amount_minor as created_amount,
            (status = 'processed')::int as succeeded, (status = 'rejected')::int as lost, 0 as done, 0 as done_amount, 0 as fee
            from payout
          union all
          select merchant_id, currency, rollup_bucket(paid_at), 0, 0, 0, 0, 1, amount_minor, fee_minor
            from payout where paid_at is not null) parts
        group by merchant_id, currency, bucket) o
      on o.merchant_id = r.merchant_id and o.currency = r.currency and o.bucket = r.bucket
      where (r.created, r.created_amount, r.succeeded, r.lost, r.done, r.done_amount, r.fee)
        is distinct from (o.created, o.created_amount, o.succeeded, o.lost, o.done, o.done_amount, o.fee)
  $$;
