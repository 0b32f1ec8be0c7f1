-- The things that wait for our staff, and the money of all merchants, for the first page of the back office.
-- locks: policies and grants change no row; each needs its table for a moment, and the migration gives way if it has to wait.

call open_to_overview('withdrawal', 'merchant_id, trade_no, status, usdt_minor, created_at');
call open_to_overview('payout', 'merchant_id, trade_no, status, currency, amount_minor, channel, created_at, sent_at');
call open_to_overview('ledger_account',
  'merchant_id, id, kind, reference, currency, balance_minor, inflow_minor, last_at');
call open_to_overview('ledger_entry', 'merchant_id, account_id, version, transfer_id, amount_minor, balance_after_minor, created_at,
  inflow_after_minor, statement_type');
call open_to_overview('archived_entry_sum', 'merchant_id, account_id, month, last_version, last_at, balance_after_minor,
  inflow_after_minor');
grant select (id, source, component, impact, title_en, title_zh_cn, title_vi, started_at, ended_at) on status_incident
  to hengfu_overview;

-- Each predicate is that of an index over all merchants (topup_open, withdrawal_open, payout_under_way).
create view staff_waiting as
  select case t.status when 'approved' then 'topupCredit' else 'topupReview' end as kind, t.merchant_id, m.code as merchant_code,
    t.trade_no as number, t.usdt_minor as amount_minor, 'USDT' as currency, t.created_at as since
  from topup t join merchant m on m.id = t.merchant_id
  where t.status in ('pendingReview', 'approved')
  union all
  select case w.status when 'approved' then 'withdrawalPayment' else 'withdrawalReview' end, w.merchant_id, m.code,
    w.trade_no, w.usdt_minor, 'USDT', w.created_at
  from withdrawal w join merchant m on m.id = w.merchant_id
  where w.status in ('pendingReview', 'approved')
  union all
  select 'payoutUnknown', p.merchant_id, m.code, p.trade_no, p.amount_minor, p.currency, coalesce(p.sent_at, p.created_at)
  from payout p join merchant m on m.id = p.merchant_id
  where p.status in ('pending', 'processing', 'pendingSettlement') and p.status = 'pendingSettlement'
  union all
  select 'incident', null, null, coalesce(i.title_en, i.component), null, null, i.started_at
  from status_incident i
  where i.ended_at is null;
call give_view('staff_waiting');
