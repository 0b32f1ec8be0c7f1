-- Quick reads of the things that wait for our staff, however long the queues are. Top-ups and withdrawals have views of their own, through
-- which an index finds the oldest few; a union of everything would be sorted as a whole. `staff_waiting` remains for the version before this one.
-- locks: views change no row.

create view staff_waiting_elsewhere as
  select 'payoutUnknown' as kind, m.code as merchant_code, p.trade_no as number, p.amount_minor, p.currency,
    coalesce(p.sent_at, p.created_at) as since
  from payout p join merchant m on m.id = p.merchant_id
  where p.status in ('pending', 'processing', 'pendingSettlement') and p.status = 'pendingSettlement'
  union all
  select 'payoutContradicted', m.code, c.trade_no, c.amount_minor, c.currency, c.since
  from staff_contradicted_payout c join merchant m on m.id = c.merchant_id
  union all
  select 'incident', null, coalesce(i.title_en, i.component), null, null, i.started_at
  from status_incident i
  where i.ended_at is null
  union all
  select 'staffRequest', m.code, r.id::text, null, null, r.created_at
  from staff_waiting_request r left join merchant m on m.id = r.merchant_id
  union all
  select 'unmatched', null, u.channel || ' ' || u.oldest_day, null, null, u.since
  from staff_unmatched u;
call give_view('staff_waiting_elsewhere');

-- Counting needs no merchant's name.
create view staff_waiting_count as
  select case status when 'approved' then 'topupCredit' else 'topupReview' end as kind, count(*)::integer as count
  from topup where status in ('pendingReview', 'approved') group by status
  union all
  select case status when 'approved' then 'withdrawalPayment' else 'withdrawalReview' end, count(*)::integer
  from withdrawal
  where status in ('pendingReview', 'approved') and (approval_state is null or approval_state = 'approved') group by status
  union all
  select kind, count(*)::integer from staff_waiting_elsewhere group by kind;
call give_view('staff_waiting_count');
