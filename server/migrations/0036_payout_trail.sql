-- A payout of a program is on the trail, too, in the statement that takes it: with the address and the call that it came by.
-- Whoever takes payouts for a person writes that row itself, and names no call here. As before otherwise.
create or replace function take_payouts(
  in_currency text, orders json, means_similar boolean[], similar_hours integer, task text, max_attempts integer
)
  returns setof payout_decision
  language plpgsql
  -- A plan is made once for each connection, whatever the number of applications (planning costs several times what the
  -- work does), and one that was made while tables were small must serve when they are big.
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  as $$
declare
  merchant bigint := current_merchant();
  decisions payout_decision[];
  numbers text[];
  totals bigint[];
begin
  -- What follows sees what those before it in line have written: each statement of a function looks anew.
  perform pg_advisory_xact_lock(hashtextextended(gate, 0)) from (
    select gate from json_to_recordset(orders) as o (account_key text, amount_minor bigint, out_trade_no text)
    cross join lateral (values
      (format('twin %s %s %s', merchant, o.account_key, o.amount_minor)),
      ('number ' || merchant || ' ' || o.out_trade_no)) as gates (gate)
    where gate is not null order by gate) ordered;

  with asked as materialized (
    select o.*, o.ordinality::integer as line
    from json_populate_recordset(null::payout, orders) with ordinality as o
  ), decided as materialized (
    select line, rate_ppm, fixed_minor, coalesce(earlier, twin) as earlier, case
      when earlier_hash = o.request_hash then 'earlier'
      when earlier is not null then 'out_trade_no_used'
      when rate_ppm is null then 'channel_closed'
      when twin_status = 'pendingSettlement' then 'similar_payout_unknown'
      when twin is not null and not means_similar[line] then 'similar_payout'
      else 'taken' end as outcome
    from asked o
    left join lateral (
      select p.trade_no as earlier, p.request_hash as earlier_hash from payout p
      where p.merchant_id = merchant and p.out_trade_no = o.out_trade_no limit 1) by_number on true
    left join lateral (
      select p.trade_no as twin, p.status as twin_status from payout p
      where p.merchant_id = merchant and p.account_key = o.account_key and p.amount_minor = o.amount_minor
        and (p.status = 'pendingSettlement'
          or (p.status <> 'rejected' and p.created_at > now() - similar_hours * interval '1 hour'))
      order by (p.status = 'pendingSettlement') desc, p.created_at desc, p.id desc limit 1) by_account on true
    left join lateral (
      select t.payout_rate_ppm as rate_ppm, t.payout_fixed_minor as fixed_minor
      from merchant_terms t join channel c on c.code = t.channel
      where t.merchant_id = merchant and t.channel = o.channel and t.valid_from <= now()
        and c.currency = in_currency and c.payout_open
      order by t.valid_from desc limit 1) terms on true
  ), numbered as materialized (
    select line, outcome, rate_ppm, fixed_minor,
      case when outcome = 'taken' then new_trade_no('P', now()) else earlier end as number
    from decided
  ), created as (
    insert into payout as made (merchant_id, trade_no, out_trade_no, request_hash, currency, amount_minor, fee_minor,
      channel, payee, payee_account, account_key, bank, bank_name, branch_name, ifsc, account_type, tax_id, remark,
      notify_url, source, created_by, batch_no, batch_line, created_at)
    select merchant, n.number, o.out_trade_no, o.request_hash, in_currency, o.amount_minor,
      payout_fee(o.amount_minor, n.rate_ppm, n.fixed_minor), o.channel, o.payee, o.payee_account, o.account_key, o.bank,
      o.bank_name, o.branch_name, o.ifsc, o.account_type, o.tax_id, o.remark, o.notify_url, o.source, o.created_by,
      o.batch_no, o.batch_line, now()
    from numbered n join asked o using (line) where n.outcome = 'taken'
    returning made as new, trade_no, id, created_at, status, amount_minor, fee_minor
  ), event as (
    insert into payout_event (merchant_id, payout_id, at, status, reason)
    select merchant, id, created_at, status, 'created' from created
  ), trail as (
    insert into audit (merchant_id, actor, action, subject, address, request_id, after)
    select merchant, o.created_by, 'payout.create', c.trade_no, f.from_address, f.from_request,
      jsonb_build_object('amountMinor', c.amount_minor::text, 'feeMinor', c.fee_minor::text, 'currency', in_currency)
    from created c join numbered n on n.number = c.trade_no join asked o using (line)
    join rows from (json_to_recordset(orders) as (from_address inet, from_request text)) with ordinality
      as f (from_address, from_request, place) on f.place = n.line
    where f.from_request is not null
  ), counted as (
    insert into order_rollup as r (merchant_id, kind, currency, bucket, stripe, created_count, created_amount_minor)
    select merchant, 'payout', in_currency, rollup_bucket(now()), rollup_stripe(), count(*), sum(amount_minor)
    from created having count(*) > 0
    on conflict (merchant_id, kind, currency, bucket, stripe) do update set
      created_count = r.created_count + excluded.created_count,
      created_amount_minor = r.created_amount_minor + excluded.created_amount_minor
  )
  select array_agg((line, outcome, case when outcome = 'taken' then new else (
        select p from payout p where p.merchant_id = merchant and p.trade_no = n.number) end)::payout_decision order by line),
    array_agg(n.number order by line) filter (where outcome = 'taken'),
    array_agg(c.amount_minor + c.fee_minor order by line) filter (where outcome = 'taken')
    into decisions, numbers, totals
    from numbered n left join created c on c.trade_no = n.number;

  if numbers is not null then
    perform ledger_post_each('payout_deduction', in_currency, 'available', 'locked', numbers, totals, now());
    perform enqueue_jobs(task,
      array(select json_build_object('merchantId', merchant::text, 'tradeNo', number) from unnest(numbers) as number),
      array(select 'send:' || number from unnest(numbers) as number), max_attempts);
  end if;
  return query select * from unnest(decisions);
end $$;
