-- Accepts or declines each application of the transaction's merchants independently, in one statement. Within one
-- merchant, no two applications may have the same number, or the same amount and account. Writes everything that belongs
-- to a payout: order, first event, audit row, posting and job; triggers add payees and rollup. Locks are taken in the order
-- that all writers follow: advisory locks of approval, those of merchants' payouts, rows of payouts, payees by name, rollup stripes by merchant, accounts by ID.
-- An application that the merchant's funds do not cover is declined if it is the only one (`insufficient_funds`), and so is one that
-- exceeds what the merchant's limit of a day leaves (`day_limit_exceeded`; rejected payouts do not count). If several of a merchant
-- are not covered together, all of them are declined (`not_covered_together`) and have to be retried one by one. Raises
-- check_violation on ledger_account_not_negative if funds are withdrawn concurrently.
-- A payout that the merchant's rules cover is accepted like any other, but is not sent before it is approved. A row of a
-- batch that needs approval as a whole follows its batch: it waits with it, is sent if the batch is approved, and is
-- declined (`not_approved`) if the batch was not, or an approver has excluded it. Callers hold a share lock on such a batch,
-- so that its approval cannot end before the row is a payout.
-- Uses a generic plan, because planning takes several times as long as executing. The plan must still be good when the
-- tables have grown.
create or replace function decide_payouts(
  applications json, similar_hours integer, task text, max_attempts integer
) returns setof payout_verdict
  language plpgsql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  as $$
declare
  own bigint[] := array(select distinct m from unnest(current_merchants()) as m order by 1);
  ruled bigint[];
  verdicts payout_verdict[];
  merchants bigint[];
  currencies text[];
  numbers text[];
  totals bigint[];
  have_approvals boolean;
  asked text[] := '{}';
  waiting text[] := '{}';
begin
  -- Most merchants have no rules: those that have any are found first.
  ruled := array(
    select m from (
      select distinct r.merchant_id as m from approval_rule r where r.merchant_id = any (own) and r.ended_at is null order by 1 offset 0) given
    where has_approval_rules(m, 'payout'));
  -- After this, statements see what earlier lock holders have written: each statement of a function takes a new snapshot. No other payout of
  -- these merchants can be made until the transaction ends: none can take the same number, look alike, or use up the limit of a day.
  perform pg_advisory_xact_lock(hashtextextended('payouts ' || m, 0)) from unnest(own) as m;

  with asked as materialized (
    select * from json_populate_recordset(null::payout_application, applications) with ordinality as o
  ), judged as materialized (
    select o.ordinality, o.merchant_id, o.currency, o.amount_minor, earlier, earlier_status, earlier_at, twin, twin_status, twin_at,
      o.amount_minor + fee as total, fee, b.approval_state, m.payout_day_limit_minor as day_limit, m.zone, case
      when earlier_hash = o.request_hash then 'earlier'
      when earlier is not null then 'out_trade_no_used'
      when m.suspended_at is not null then 'merchant_suspended'
      when b.approval_state in ('refused', 'withdrawn', 'expired') then 'not_approved'
      when b.approval_state = 'approved' and exists (
        select from approval_request r
        join approval_exclusion x on x.merchant_id = r.merchant_id and x.request_id = r.id and x.line = o.batch_line
        where r.merchant_id = o.merchant_id and r.kind = 'batch' and r.subject_no = o.batch_no) then 'not_approved'
      when fee is null then 'channel_closed'
      when o.amount_minor > m.payout_limit_minor then 'limit_exceeded'
      when twin_status = 'pendingSettlement' then 'similar_payout_unknown'
      when twin is not null and means_similar is not true then 'similar_payout'
      else 'taken' end as judgement
    from asked o
    left join merchant m on m.id = o.merchant_id
    left join payout_batch b on b.merchant_id = o.merchant_id and b.batch_no = o.batch_no
    left join lateral (
      select p.trade_no as earlier, p.request_hash as earlier_hash, p.status as earlier_status, p.created_at as earlier_at from payout p
      where p.merchant_id = o.merchant_id and p.out_trade_no = o.out_trade_no limit 1) by_number on true
    left join lateral (
      select p.trade_no as twin, p.status as twin_status, p.created_at as twin_at
      from similar_payout(o.merchant_id, o.account_key, o.amount_minor, similar_hours) p) by_account on true
    left join lateral (
      select order_fee(o.amount_minor, t.payout_rate_ppm, t.payout_fixed_minor) as fee
      from merchant_terms t join channel c on c.code = t.channel
      where t.merchant_id = o.merchant_id and t.channel = o.channel and t.valid_from <= now()
        and c.currency = o.currency and c.payout_open and (c.is_live or is_test_merchant(o.merchant_id))
      order by t.valid_from desc limit 1) terms on true
  ), counted as (
    select j.*, coalesce(f.balance_minor, 0) as funds, sum(total) over own as wanted, sum(amount_minor) over own as amounts, count(*) over own as likewise,
      case when day_limit is not null then day_limit - (
        select coalesce(sum(r.amount_minor), 0) from order_rollup r
        where r.merchant_id = j.merchant_id and r.kind = 'payout' and r.axis = 'created' and r.currency = j.currency
          and r.bucket >= date_trunc('day', now() at time zone j.zone) at time zone j.zone and r.status <> 'rejected') end as day_rest
    from judged j
    left join lateral (
      select a.balance_minor from ledger_account a
      where a.merchant_id = j.merchant_id and a.kind = 'available' and a.currency = j.currency and a.reference = ''
      limit 1) f on true
    window own as (partition by j.merchant_id, j.currency, judgement)
  ), decided as materialized (
    select ordinality, merchant_id, currency, total, fee, approval_state, earlier, earlier_status, earlier_at, twin, twin_status, twin_at, case
      when judgement <> 'taken' then judgement
      when amounts > day_rest then case when likewise = 1 then 'day_limit_exceeded' else 'not_covered_together' end
      when wanted <= funds then judgement
      when likewise = 1 then 'insufficient_funds'
      else 'not_covered_together' end as outcome,
      case when judgement = 'taken' then new_trade_no('P', merchant_id, now()) end as number
    from counted
  ), created as (
    insert into payout (merchant_id, trade_no, out_trade_no, request_hash, currency, amount_minor, fee_minor,
      channel, payee, payee_account, account_key, bank, bank_name, branch_name, ifsc, account_type, tax_id, remark,
      notify_url, source, created_by, batch_no, batch_line, approval_state, created_at)
    select a.merchant_id, number, out_trade_no, request_hash, a.currency, amount_minor, fee, channel, payee, payee_account,
      account_key, bank, bank_name, branch_name, ifsc, account_type, tax_id, remark, notify_url, source, created_by,
      batch_no, batch_line, approval_state, now()
    from decided d join asked a on a.ordinality = d.ordinality where outcome = 'taken'
    returning id, merchant_id, trade_no, status, created_at
  ), event as (
    insert into payout_event (merchant_id, payout_id, at, status, reason)
    select merchant_id, id, created_at, status, 'created' from created
  ), trail as (
    insert into audit (merchant_id, actor, action, subject, address, request_id, after)
    select a.merchant_id, created_by, 'payout.create', number, from_address, from_request,
      jsonb_build_object('amountMinor', amount_minor::text, 'feeMinor', fee::text, 'currency', a.currency)
    from decided d join asked a on a.ordinality = d.ordinality where outcome = 'taken' and from_request is not null
  )
  select array_agg(case
        when outcome = 'taken' then (d.ordinality, outcome, number, c.id, c.status, fee, approval_state, c.created_at)::payout_verdict
        when outcome = 'earlier' then (d.ordinality, outcome, earlier, null, earlier_status, null, null, earlier_at)::payout_verdict
        when outcome like 'similar%' then (d.ordinality, outcome, twin, null, twin_status, null, null, twin_at)::payout_verdict
        else (d.ordinality, outcome, null, null, null, null, null, null)::payout_verdict end order by ordinality),
    array_agg(d.merchant_id order by ordinality) filter (where outcome = 'taken'),
    array_agg(d.currency order by ordinality) filter (where outcome = 'taken'),
    array_agg(number order by ordinality) filter (where outcome = 'taken'),
    array_agg(total order by ordinality) filter (where outcome = 'taken'),
    bool_or(approval_state is not null) filter (where outcome = 'taken')
    into verdicts, merchants, currencies, numbers, totals, have_approvals
    from decided d left join created c on c.trade_no = d.number;

  if numbers is not null then
    perform ledger_post_many('payout_deduction', 'available', 'locked', merchants, currencies, numbers, totals, now());
    if cardinality(ruled) > 0 then
      -- In the order of the applications: each is compared with what those before it have sent.
      asked := array(
        select trade_no from (
          select p.* from unnest(merchants, numbers) with ordinality as made (m, n, place)
          join payout p on p.merchant_id = m and p.trade_no = n
          where m = any (ruled) and p.approval_state is null order by place) judged
        where ask_approval(merchant_id, 'payout', trade_no, amount_minor, currency, account_key, array[account_key],
          array[amount_minor], payee || ' · ' || payee_account, created_by));
      update payout p set approval_state = 'waiting' where p.merchant_id = any (ruled) and p.trade_no = any (asked);
    end if;
    if have_approvals or cardinality(asked) > 0 then
      waiting := array(
        select trade_no from unnest(verdicts)
        where outcome = 'taken' and (approval_state = 'waiting' or trade_no = any (asked)));
      insert into payout_event (merchant_id, payout_id, at, status, reason)
      select m, v.id, v.created_at, v.status, case when n = any (waiting) then 'approval_asked' else 'approval_given' end
      from unnest(merchants, numbers) with ordinality as made (m, n, place)
      join unnest(verdicts) v on v.outcome = 'taken' and v.trade_no = n
      where v.approval_state is not null or n = any (asked) order by place;
    end if;
    perform enqueue_jobs(task,
      array(select json_build_object('merchantId', m::text, 'tradeNo', n) from unnest(merchants, numbers) as taken (m, n)
        where n <> all (waiting)),
      array(select 'send:' || n from unnest(numbers) as n where n <> all (waiting)), max_attempts);
  end if;
  return query
    select line, outcome, trade_no, id, status, fee_minor, case when trade_no = any (asked) then 'waiting' else approval_state end,
      created_at
    from unnest(verdicts);
end $$;
call give_function('decide_payouts', 'hengfu_intake');
revoke execute on function decide_payouts from public;
grant execute on function decide_payouts to hengfu_app, hengfu_system;
