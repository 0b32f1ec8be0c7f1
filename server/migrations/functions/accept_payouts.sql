-- Accepts or declines each application of the transaction's merchants independently, in one statement. Within one
-- merchant, no two applications may have the same number, or the same amount and account. Writes everything that belongs
-- to a payout: order, first event, audit row, posting and job; triggers add payees and rollup. Locks are taken in the order
-- that all writers follow: advisory locks of approval, those by name, payouts, payees by name, rollup stripes by merchant, accounts by ID.
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
create or replace function accept_payouts(
  applications json, similar_hours integer, task text, max_attempts integer
) returns setof payout_decision
  language plpgsql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  as $$
declare
  decisions payout_decision[];
  merchants bigint[];
  currencies text[];
  numbers text[];
  totals bigint[];
  ruled bigint[];
  asked text[];
  waiting text[];
begin
  ruled := array(
    select merchant_id from (
      select distinct merchant_id from json_to_recordset(applications) as o (merchant_id bigint) order by 1 offset 0) given
    where has_approval_rules(merchant_id, 'payout'));
  -- After this, statements see what earlier lock holders have written: each statement of a function takes a new snapshot.
  perform pg_advisory_xact_lock(hashtextextended(gate, 0)) from (
    select gate from json_to_recordset(applications)
      as o (merchant_id bigint, account_key text, amount_minor bigint, out_trade_no text)
    cross join lateral (values
      (format('twin %s %s %s', o.merchant_id, o.account_key, o.amount_minor)),
      ('number ' || o.merchant_id || ' ' || o.out_trade_no),
      -- The rest of a day's limit cannot change until the transaction ends. Merchants without such a limit do not wait.
      ((select 'limit ' || m.id from merchant m where m.id = o.merchant_id and m.payout_day_limit_minor is not null))) as gates (gate)
    where gate is not null order by gate) ordered;

  with asked as materialized (
    select * from json_populate_recordset(null::payout_application, applications) with ordinality as o
  ), judged as materialized (
    select o.*, coalesce(earlier, twin) as earlier_no, o.amount_minor + fee as total, fee, b.approval_state,
      m.payout_day_limit_minor as day_limit, m.zone, case
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
      select p.trade_no as earlier, p.request_hash as earlier_hash from payout p
      where p.merchant_id = o.merchant_id and p.out_trade_no = o.out_trade_no limit 1) by_number on true
    left join lateral (
      select p.trade_no as twin, p.status as twin_status
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
    select *, case
      when judgement <> 'taken' then judgement
      when amounts > day_rest then case when likewise = 1 then 'day_limit_exceeded' else 'not_covered_together' end
      when wanted <= funds then judgement
      when likewise = 1 then 'insufficient_funds'
      else 'not_covered_together' end as outcome,
      case when judgement = 'taken' then new_trade_no('P', merchant_id, now()) else earlier_no end as number
    from counted
  ), created as (
    insert into payout as made (merchant_id, trade_no, out_trade_no, request_hash, currency, amount_minor, fee_minor,
      channel, payee, payee_account, account_key, bank, bank_name, branch_name, ifsc, account_type, tax_id, remark,
      notify_url, source, created_by, batch_no, batch_line, approval_state, created_at)
    select merchant_id, number, out_trade_no, request_hash, currency, amount_minor, fee, channel, payee, payee_account,
      account_key, bank, bank_name, branch_name, ifsc, account_type, tax_id, remark, notify_url, source, created_by,
      batch_no, batch_line, approval_state, now()
    from decided where outcome = 'taken'
    returning made as new, id, trade_no
  ), event as (
    insert into payout_event (merchant_id, payout_id, at, status, reason)
    select (new).merchant_id, id, (new).created_at, (new).status, 'created' from created
  ), trail as (
    insert into audit (merchant_id, actor, action, subject, address, request_id, after)
    select merchant_id, created_by, 'payout.create', number, from_address, from_request,
      jsonb_build_object('amountMinor', amount_minor::text, 'feeMinor', fee::text, 'currency', currency)
    from decided where outcome = 'taken' and from_request is not null
  )
  select array_agg((d.ordinality, outcome, case when outcome = 'taken' then new else (
        select p from payout p where p.merchant_id = d.merchant_id and p.trade_no = d.number) end)::payout_decision
      order by ordinality),
    array_agg(d.merchant_id order by ordinality) filter (where outcome = 'taken'),
    array_agg(d.currency order by ordinality) filter (where outcome = 'taken'),
    array_agg(number order by ordinality) filter (where outcome = 'taken'),
    array_agg(total order by ordinality) filter (where outcome = 'taken')
    into decisions, merchants, currencies, numbers, totals
    from decided d left join created c on c.trade_no = d.number;

  if numbers is not null then
    perform ledger_post_many('payout_deduction', 'available', 'locked', merchants, currencies, numbers, totals, now());
    if cardinality(ruled) > 0 then
      -- In the order of the applications: each is compared with what those before it have sent.
      asked := array(
        select (held).trade_no from (
          select line, held from unnest(decisions)
          where outcome = 'taken' and (held).merchant_id = any (ruled) and (held).approval_state is null order by line) made
        where ask_approval((held).merchant_id, 'payout', (held).trade_no, (held).amount_minor, (held).currency,
          (held).account_key, array[(held).account_key], array[(held).amount_minor],
          (held).payee || ' · ' || (held).payee_account, (held).created_by));
      update payout p set approval_state = 'waiting' where p.merchant_id = any (ruled) and p.trade_no = any (asked);
      decisions := array(
        select (line, outcome, case when (held).trade_no = any (asked) then (
            select p from payout p where p.merchant_id = (held).merchant_id and p.trade_no = (held).trade_no)
          else held end)::payout_decision
        from unnest(decisions) order by line);
    end if;
    waiting := array(
      select (held).trade_no from unnest(decisions) where outcome = 'taken' and (held).approval_state = 'waiting');
    insert into payout_event (merchant_id, payout_id, at, status, reason)
    select (held).merchant_id, (held).id, (held).created_at, (held).status,
      case (held).approval_state when 'waiting' then 'approval_asked' else 'approval_given' end
    from unnest(decisions) where outcome = 'taken' and (held).approval_state is not null;
    perform enqueue_jobs(task,
      array(select json_build_object('merchantId', m::text, 'tradeNo', n) from unnest(merchants, numbers) as taken (m, n)
        where n <> all (waiting)),
      array(select 'send:' || n from unnest(numbers) as n where n <> all (waiting)), max_attempts);
  end if;
  return query select * from unnest(decisions);
end $$;
call give_function('accept_payouts', 'hengfu_intake');
revoke execute on function accept_payouts from public;
grant execute on function accept_payouts to hengfu_app, hengfu_system;
