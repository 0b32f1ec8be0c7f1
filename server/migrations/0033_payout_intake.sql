-- Payouts are taken in with little work: no transaction that plans a job holds up the commits of all others.

-- NOTIFY inside a transaction takes a lock that all commits of the database share, and holds it while the disk is waited
-- for. The queue notifies with each job; planned through this door, it finds a pg_notify that does nothing in its place,
-- and whoever planned the job says so after the commit (server/src/db/change-feed.ts). Should the queue ever name the
-- real one, or should nobody say it, jobs are found all the same: workers look each second.
create schema quiet;
create function quiet.pg_notify(text, text) returns void
  language sql immutable
  as $$ select $$;
grant usage on schema quiet to hengfu_app, hengfu_system;

create or replace function enqueue_job(task text, payload json, delay_seconds integer, job_key text, max_attempts integer)
  returns void
  language sql volatile security definer set search_path = quiet, pg_catalog, public, pg_temp
  set plan_cache_mode = force_generic_plan
  as $$
    select graphile_worker.add_job(
      task, payload, run_at => now() + enqueue_job.delay_seconds * interval '1 second',
      job_key => enqueue_job.job_key, max_attempts => enqueue_job.max_attempts)
  $$;

-- The same for many jobs of one kind: job i has payloads[i] and keys[i], and may begin at once.
create function enqueue_jobs(task text, payloads json[], keys text[], max_attempts integer) returns void
  language sql volatile security definer set search_path = quiet, pg_catalog, public, pg_temp
  set plan_cache_mode = force_generic_plan
  as $$
    select graphile_worker.add_jobs(array(
      select (task, payload, null, now(), max_attempts::smallint, key, null, null)::graphile_worker.job_spec
      from unnest(payloads, keys) as job (payload, key)))
  $$;
revoke execute on function enqueue_jobs from public;
grant execute on function enqueue_jobs to hengfu_app, hengfu_system;

-- Posts one transfer of the merchant for each subject: amounts[i] from one of the merchant's accounts to another one, under
-- the key `<type>:<subject>`. What ledger_post does with each, with one change of each account for all of them: entries
-- follow each other in the order of the subjects, each one a number that this transaction has made. Accounts are taken
-- in the order of their ids, as there.
-- Raises as ledger_post does; where the funds do not cover all, nothing is posted.
create function ledger_post_each(
  transfer_type text, in_currency text, from_kind text, to_kind text, subjects text[], amounts bigint[], at timestamptz
) returns void
  language plpgsql security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  as $$
declare
  merchant bigint := current_merchant();
  total bigint;
  transfers bigint;
  -- What is moved behind each transfer.
  rest bigint;
  rests bigint[] := '{}';
  from_account ledger_account;
  to_account ledger_account;
begin
  if merchant is null then
    raise exception 'ledger_post_each needs a merchant' using errcode = 'insufficient_privilege';
  end if;
  select sum(a), count(*) filter (where a > 0 and s is not null) into total, transfers
    from unnest(subjects, amounts) as move (s, a);
  if from_kind = to_kind or transfers <> cardinality(subjects) or transfers <> cardinality(amounts) or transfers = 0 then
    raise exception 'ledger_unbalanced: % from % to %', transfer_type, from_kind, to_kind;
  end if;
  rest := total;
  for place in 1 .. transfers loop
    rest := rest - amounts[place];
    rests := rests || rest;
  end loop;

  select * into from_account from ledger_account
    where merchant_id = merchant and kind = from_kind and currency = in_currency and reference = '';
  select * into to_account from ledger_account
    where merchant_id = merchant and kind = to_kind and currency = in_currency and reference = '';
  if from_account.id is null or to_account.id is null then
    insert into ledger_account (merchant_id, kind, currency)
      select merchant, k, in_currency from (values (from_kind), (to_kind)) as wanted (k) order by k
      on conflict do nothing;
    select * into from_account from ledger_account
      where merchant_id = merchant and kind = from_kind and currency = in_currency and reference = '';
    select * into to_account from ledger_account
      where merchant_id = merchant and kind = to_kind and currency = in_currency and reference = '';
  end if;

  -- A transaction that began earlier may get the account later: its entries are not older than those before them.
  if from_account.id > to_account.id then
    update ledger_account set balance_minor = balance_minor + total, version = version + transfers,
      last_at = greatest(at, last_at), inflow_minor = inflow_minor + total
      where id = to_account.id returning * into to_account;
  end if;
  update ledger_account set balance_minor = balance_minor - total, version = version + transfers,
    last_at = greatest(at, last_at)
    where id = from_account.id returning * into from_account;
  if from_account.id < to_account.id then
    update ledger_account set balance_minor = balance_minor + total, version = version + transfers,
      last_at = greatest(at, last_at), inflow_minor = inflow_minor + total
      where id = to_account.id returning * into to_account;
  end if;

  with made as (
    insert into ledger_transfer (merchant_id, type, idempotency_key, subject_no, created_at)
    select merchant, transfer_type, transfer_type || ':' || s, s, at
    from unnest(subjects) with ordinality as move (s, place) order by place
    returning id, subject_no
  )
  insert into ledger_entry (merchant_id, account_id, version, transfer_id, amount_minor, balance_after_minor,
      inflow_after_minor, statement_type, created_at)
    select merchant, side.id, side.version - transfers + place, made.id, sign * a, balance - sign * r,
      inflow - (case when sign > 0 then r else 0 end), case when kind = 'available' then transfer_type end, last_at
    from unnest(subjects, amounts, rests) with ordinality as move (s, a, r, place)
    join made on made.subject_no = move.s
    cross join (values
      (from_account.id, from_kind, from_account.version, from_account.balance_minor, from_account.inflow_minor,
        from_account.last_at, -1),
      (to_account.id, to_kind, to_account.version, to_account.balance_minor, to_account.inflow_minor,
        to_account.last_at, 1)) as side (id, kind, version, balance, inflow, last_at, sign);
end $$;
grant create on schema public to hengfu_ledger;
alter function ledger_post_each owner to hengfu_ledger;
revoke create on schema public from hengfu_ledger;
revoke execute on function ledger_post_each from public;
grant execute on function ledger_post_each to hengfu_app, hengfu_system;

-- What a payout costs (contract/src/fees.ts says the same to people; a test compares the two).
create function payout_fee(amount_minor bigint, rate_ppm integer, fixed_minor bigint) returns bigint
  language sql immutable parallel safe
  as $$ select div(amount_minor::numeric * rate_ppm + 500000, 1000000)::bigint + fixed_minor $$;

-- What became of one application: `taken`, `earlier` (the same call again), or why it is refused. `held` is the payout
-- that was made, or the earlier one that is meant.
create type payout_decision as (line integer, outcome text, held payout);

-- Takes applications of the merchant of the transaction, each or not, in one go: columns of payouts as JSON, and
-- whether they are meant although they look like earlier ones. No two of them may have one number, or one amount and account. Everything is in the transaction:
-- order, first event, rollup, posting, job. Gates and rows are taken in the one order that all keep: gates by name, the
-- payouts, the rollup's bucket, payees by name, the accounts by id.
-- Raises check_violation on ledger_account_not_negative where the funds do not cover all of those that would be taken.
create function take_payouts(
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
revoke execute on function take_payouts from public;
grant execute on function take_payouts to hengfu_app, hengfu_system;

-- As before, in fewer steps: what is there already, or twice, is left out by the conflict.
create or replace function note_payout_parties() returns trigger
  language plpgsql
  as $$
begin
  insert into payout_party (merchant_id, search_key, field, value)
  select party.* from added cross join lateral (values
    (added.merchant_id, search_key(added.payee), 'payee', added.payee),
    (added.merchant_id, search_key(substring(added.account_key from '[^ ]*$')), 'account_key', added.account_key)) party
  order by 1, 2, 3, 4
  on conflict do nothing;
  return null;
end $$;
