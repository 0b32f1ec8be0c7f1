-- Posts one transfer per subject: amounts[i] of currencies[i] from one account of merchants[i] to another, under the key
-- `<type>:<subject>`. Equivalent to ledger_post for each, but updates each account once for all of them; an account's
-- entries follow the order of the subjects. Accounts are locked in the order of their IDs.
-- Raises the errors of ledger_post; if the funds of one merchant do not cover all of its transfers, nothing is posted.
create or replace function ledger_post_many(
  transfer_type text, from_kind text, to_kind text, merchants bigint[], currencies text[], subjects text[],
  amounts bigint[], at timestamptz
) returns void
  language plpgsql volatile security definer set search_path = public, pg_temp
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
  perform from ledger_account where merchant_id = any (merchants) and id = any (account_ids) order by id for update;

  -- A transaction that began earlier may lock an account later, and entries must not go back in time.
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
call give_function('ledger_post_many', 'hengfu_ledger');
revoke execute on function ledger_post_many from public;
grant execute on function ledger_post_many to hengfu_app, hengfu_intake, hengfu_system;
