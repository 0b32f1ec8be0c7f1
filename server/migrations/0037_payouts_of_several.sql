-- Payouts of several merchants are taken by one statement, and signed calls are let in by one: what a statement costs by
-- itself is several times what each further payout in it costs. `take_payouts` with a currency and `ledger_post_each` stay
-- for processes of the version before, until a later migration drops them.

-- Takes payouts, and nothing else. What it owns sees the merchants that the transaction names; who calls that need not.
do $$
begin
  if not exists (select from pg_roles where rolname = 'hengfu_intake') then
    create role hengfu_intake nologin;
  end if;
exception when duplicate_object or unique_violation then
  null; -- another database of the same cluster made it at the same moment
end $$;
grant usage on schema public to hengfu_intake;

-- The merchants of the present transaction: those of `app.merchant_ids` (an array as text), else the one of
-- `app.merchant_id`; null where none is set. Rows of several are seen by what hengfu_intake and hengfu_ledger own, and by
-- nobody else: hengfu_app sees none where no single merchant is set.
create function current_merchants() returns bigint[]
  language sql stable parallel safe
  as $$
    select coalesce(nullif(current_setting('app.merchant_ids', true), '')::bigint[], array[current_merchant()])
  $$;

do $$
declare
  name text;
begin
  foreach name in array array['merchant_terms', 'payout', 'payout_event', 'payout_party', 'order_rollup', 'audit', 'ledger_account'] loop
    execute format(
      'create policy intake on %I to hengfu_intake using (merchant_id = any ((select current_merchants())::bigint[]))', name);
  end loop;
  foreach name in array array['ledger_account', 'ledger_transfer', 'ledger_entry'] loop
    execute format(
      'alter policy writer on %I using (merchant_id = any ((select current_merchants())::bigint[]))', name);
  end loop;
end $$;
grant select on channel, merchant_terms, ledger_account, payout to hengfu_intake;
grant insert on payout, payout_event, audit to hengfu_intake;
grant select, insert on payout_party to hengfu_intake;
grant select, insert, update on order_rollup to hengfu_intake;
grant usage on sequence trade_no_sequence to hengfu_intake;
grant execute on function enqueue_jobs to hengfu_intake;

-- Posts one transfer for each subject: amounts[i] of currencies[i] from one account of merchants[i] to another one of its,
-- under the key `<type>:<subject>`. What ledger_post does with each, with one change of each account for all of them: an
-- account's entries follow each other in the order of the subjects. Accounts are taken in the order of their ids, as there.
-- Raises as ledger_post does; where the funds of one merchant do not cover all that is its own, nothing is posted.
create function ledger_post_many(
  transfer_type text, from_kind text, to_kind text,
  merchants bigint[], currencies text[], subjects text[], amounts bigint[], at timestamptz
) returns void
  language plpgsql security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  as $$
declare
  account_ids bigint[];
begin
  if from_kind = to_kind or cardinality(subjects) = 0 or exists (
    select from unnest(merchants, currencies, subjects, amounts) as move (m, c, s, a)
    where (m = any (current_merchants()) and a > 0 and c is not null and s is not null) is not true
  ) then
    raise exception 'ledger_unbalanced: % from % to %', transfer_type, from_kind, to_kind;
  end if;

  select array_agg(found.id) into account_ids
    from (select distinct m, c from unnest(merchants, currencies) as own (m, c)) own
    cross join (values (from_kind), (to_kind)) as side (kind)
    left join lateral (
      select a.id from ledger_account a
      where a.merchant_id = m and a.kind = side.kind and a.currency = c and a.reference = '' limit 1) found on true;
  if array_position(account_ids, null) is not null then
    insert into ledger_account (merchant_id, kind, currency)
      select distinct m, kind, c from unnest(merchants, currencies) as own (m, c)
      cross join (values (from_kind), (to_kind)) as side (kind) order by 1, 2, 3
      on conflict do nothing;
    select array_agg(a.id) into account_ids
      from (select distinct m, c from unnest(merchants, currencies) as own (m, c)) own
      join ledger_account a on a.merchant_id = m and a.currency = c and a.reference = '' and a.kind in (from_kind, to_kind);
  end if;
  perform from ledger_account where id = any (account_ids) order by id for update;

  -- A transaction that began earlier may get an account later: its entries are not older than those before them.
  with move as materialized (
    select place, m, c, s, a, sum(a) over behind - a as rest, count(*) over behind - 1 as followers
    from unnest(merchants, currencies, subjects, amounts) with ordinality as move (m, c, s, a, place)
    window behind as (partition by m, c order by place desc)
  ), own as materialized (
    select m, c, sum(a) as total, count(*) as transfers from move group by m, c
  ), changed as (
    update ledger_account as account
      set balance_minor = balance_minor + case kind when to_kind then total else -total end,
        version = version + transfers, last_at = greatest(at, last_at),
        inflow_minor = inflow_minor + case kind when to_kind then total else 0 end
      from own
      where account.id = any (account_ids) and account.merchant_id = own.m and account.currency = own.c
      returning account.id, merchant_id, currency, kind, version, balance_minor, inflow_minor, last_at
  ), made as (
    insert into ledger_transfer (merchant_id, type, idempotency_key, subject_no, created_at)
    select m, transfer_type, transfer_type || ':' || s, s, at from move order by place
    returning id, merchant_id, subject_no
  )
  insert into ledger_entry (merchant_id, account_id, version, transfer_id, amount_minor, balance_after_minor,
      inflow_after_minor, statement_type, created_at)
    select m, changed.id, version - followers, made.id,
      case kind when to_kind then a else -a end,
      case kind when to_kind then balance_minor - rest else balance_minor + rest end,
      case kind when to_kind then inflow_minor - rest else inflow_minor end,
      case when kind = 'available' then transfer_type end, last_at
    from move
    join made on made.subject_no = s and made.merchant_id = m
    join changed on changed.merchant_id = m and changed.currency = c;
end $$;
grant create on schema public to hengfu_ledger;
alter function ledger_post_many owner to hengfu_ledger;
revoke create on schema public from hengfu_ledger;
revoke execute on function ledger_post_many from public;
grant execute on function ledger_post_many to hengfu_app, hengfu_system, hengfu_intake;

-- An application for a payout. `means_similar`: meant although it looks like an earlier one. `from_request`, `from_address`:
-- the call of a program that it came by, for the trail; whoever takes payouts for a person writes that row itself.
create type payout_application as (
  merchant_id bigint, out_trade_no text, request_hash bytea, currency text, amount_minor bigint, channel text, payee text,
  payee_account text, account_key text, bank text, bank_name text, branch_name text, ifsc text, account_type text,
  tax_id text, remark text, notify_url text, source text, created_by text, batch_no text, batch_line integer,
  means_similar boolean, from_address inet, from_request text
);

-- Takes applications of the merchants of the transaction, each or not, in one go. No two of a merchant may have one
-- number, or one amount and account. Everything is in the transaction: order, first event, trail, rollup, posting, job.
-- Gates and rows are taken in the one order that all keep: gates by name, the payouts, the rollups' rows by merchant,
-- payees by name, the accounts by id.
-- What a merchant's funds do not cover is refused where it comes alone (`insufficient_funds`); where several of a merchant
-- come that are not covered together, none of them is taken (`not_covered_together`), and each is to be asked for by itself.
-- Raises check_violation on ledger_account_not_negative where funds go while it looks.
create function take_payouts(applications json, similar_hours integer, task text, max_attempts integer)
  returns setof payout_decision
  language plpgsql security definer set search_path = public, pg_temp
  -- A plan is made once for each connection, whatever the number of applications (planning costs several times what the
  -- work does), and one that was made while tables were small must serve when they are big.
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  as $$
declare
  decisions payout_decision[];
  merchants bigint[];
  currencies text[];
  numbers text[];
  totals bigint[];
begin
  -- What follows sees what those before it in line have written: each statement of a function looks anew.
  perform pg_advisory_xact_lock(hashtextextended(gate, 0)) from (
    select gate from json_to_recordset(applications)
      as o (merchant_id bigint, account_key text, amount_minor bigint, out_trade_no text)
    cross join lateral (values
      (format('twin %s %s %s', o.merchant_id, o.account_key, o.amount_minor)),
      ('number ' || o.merchant_id || ' ' || o.out_trade_no)) as gates (gate)
    where gate is not null order by gate) ordered;

  with asked as materialized (
    select * from json_populate_recordset(null::payout_application, applications) with ordinality as o
  ), judged as materialized (
    select o.*, coalesce(earlier, twin) as earlier_no, o.amount_minor + fee as total, fee, case
      when earlier_hash = o.request_hash then 'earlier'
      when earlier is not null then 'out_trade_no_used'
      when fee is null then 'channel_closed'
      when twin_status = 'pendingSettlement' then 'similar_payout_unknown'
      when twin is not null and means_similar is not true then 'similar_payout'
      else 'taken' end as judgement
    from asked o
    left join lateral (
      select p.trade_no as earlier, p.request_hash as earlier_hash from payout p
      where p.merchant_id = o.merchant_id and p.out_trade_no = o.out_trade_no limit 1) by_number on true
    left join lateral (
      select p.trade_no as twin, p.status as twin_status from payout p
      where p.merchant_id = o.merchant_id and p.account_key = o.account_key and p.amount_minor = o.amount_minor
        and (p.status = 'pendingSettlement'
          or (p.status <> 'rejected' and p.created_at > now() - similar_hours * interval '1 hour'))
      order by (p.status = 'pendingSettlement') desc, p.created_at desc, p.id desc limit 1) by_account on true
    left join lateral (
      select payout_fee(o.amount_minor, t.payout_rate_ppm, t.payout_fixed_minor) as fee
      from merchant_terms t join channel c on c.code = t.channel
      where t.merchant_id = o.merchant_id and t.channel = o.channel and t.valid_from <= now()
        and c.currency = o.currency and c.payout_open
      order by t.valid_from desc limit 1) terms on true
  ), counted as (
    select j.*, coalesce(f.balance_minor, 0) as funds, sum(total) over own as wanted, count(*) over own as likewise
    from judged j
    left join lateral (
      select a.balance_minor from ledger_account a
      where a.merchant_id = j.merchant_id and a.kind = 'available' and a.currency = j.currency and a.reference = ''
      limit 1) f on true
    window own as (partition by j.merchant_id, j.currency, judgement)
  ), decided as materialized (
    select *, case
      when judgement <> 'taken' or wanted <= funds then judgement
      when likewise = 1 then 'insufficient_funds'
      else 'not_covered_together' end as outcome,
      case when judgement = 'taken' then new_trade_no('P', now()) else earlier_no end as number
    from counted
  ), created as (
    insert into payout as made (merchant_id, trade_no, out_trade_no, request_hash, currency, amount_minor, fee_minor,
      channel, payee, payee_account, account_key, bank, bank_name, branch_name, ifsc, account_type, tax_id, remark,
      notify_url, source, created_by, batch_no, batch_line, created_at)
    select merchant_id, number, out_trade_no, request_hash, currency, amount_minor, fee, channel, payee, payee_account,
      account_key, bank, bank_name, branch_name, ifsc, account_type, tax_id, remark, notify_url, source, created_by,
      batch_no, batch_line, now()
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
  ), summed as (
    insert into order_rollup as r (merchant_id, kind, currency, bucket, stripe, created_count, created_amount_minor)
    select merchant_id, 'payout', currency, rollup_bucket(now()), rollup_stripe(), count(*), sum(amount_minor)
    from decided where outcome = 'taken' group by merchant_id, currency order by merchant_id, currency
    on conflict (merchant_id, kind, currency, bucket, stripe) do update set
      created_count = r.created_count + excluded.created_count,
      created_amount_minor = r.created_amount_minor + excluded.created_amount_minor
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
    perform enqueue_jobs(task,
      array(select json_build_object('merchantId', m::text, 'tradeNo', n) from unnest(merchants, numbers) as taken (m, n)),
      array(select 'send:' || n from unnest(numbers) as n), max_attempts);
  end if;
  return query select * from unnest(decisions);
end $$;
grant create on schema public to hengfu_intake;
do $$ begin execute format('grant hengfu_intake to %I', current_user); end $$;
alter function take_payouts(json, integer, text, integer) owner to hengfu_intake;
revoke create on schema public from hengfu_intake;
revoke execute on function take_payouts(json, integer, text, integer) from public;
grant execute on function take_payouts(json, integer, text, integer) to hengfu_app, hengfu_system;

-- Takes nonces for good: nonces[i] of keys[i], where key and merchant still are what the call was judged by (revisions[i],
-- as http/access-key.sql.ts makes it). No pair may come twice. Of each, in their order: `claimed`, `replayed`, or `changed`
-- where the key is to be read and judged again.
create function claim_nonces(keys text[], revisions text[], nonces text[]) returns setof text
  language plpgsql set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  as $$
begin
  return query with asked as materialized (
    select a.*, holds.holds from unnest(keys, revisions, nonces) with ordinality as a (key, revision, nonce, place)
    left join lateral (
      select true as holds from access_key k join merchant m on m.id = k.merchant_id
      where k.key_id = a.key and k.revoked_at is null and k.disabled_at is null
        and (k.ends_at is null or k.ends_at > now()) and concat(k.xmin, '.', m.xmin) = a.revision limit 1) holds on true
  ), claimed as (
    insert into used_nonce (key_id, nonce) select key, nonce from asked where holds order by key, nonce
    on conflict do nothing returning key_id, nonce
  )
  select case when asked.holds is null then 'changed' when claimed.nonce is null then 'replayed' else 'claimed' end
    from asked left join claimed on claimed.key_id = key and claimed.nonce = asked.nonce
    order by place;
end $$;
revoke execute on function claim_nonces from public;
grant execute on function claim_nonces to hengfu_system;
