-- Posts transfers of the merchant of the transaction in sequence. Leg i moves amounts[i] on the account (kinds[i], refs[i])
-- and belongs to the transfer keys[i]; the legs of a transfer have the same type, subject and moment. Transfers follow
-- the order of their first legs. Equivalent to ledger_post for each, but updates each account once. Accounts are locked
-- in the order of their IDs. Raises the errors of ledger_post; if one transfer fails, none is posted.
create or replace function ledger_post_series(
  in_currency text, keys text[], types text[], subjects text[], moments timestamptz[], kinds text[],
  refs text[], amounts bigint[]
) returns void
  language plpgsql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  as $$
declare
  merchant bigint := current_merchant();
  overdrawn bigint;
begin
  if merchant is null then
    raise exception 'ledger_post_series needs a merchant' using errcode = 'insufficient_privilege';
  end if;
  -- unnest pads shorter arrays with nulls.
  if exists (
    select from (
      select key, sum(m) as net, min(type) as type, max(type) as last_type, min(subject) as subject,
        max(subject) as last_subject, min(at) as at, max(at) as last_at,
        bool_or(key is null or type is null or subject is null or at is null or k is null or r is null or m is null) as lacks
      from unnest(keys, types, subjects, moments, kinds, refs, amounts) as leg (key, type, subject, at, k, r, m)
      group by key, k, r) moved
    group by key
    having sum(net) <> 0 or bool_and(net = 0) or bool_or(lacks)
      or min(type) <> max(last_type) or min(subject) <> max(last_subject) or min(at) <> max(last_at)
  ) then
    raise exception 'ledger_unbalanced: a transfer of the series does not sum to zero, moves nothing, or contradicts itself';
  end if;

  insert into ledger_account (merchant_id, kind, currency, reference)
    select distinct merchant, k, in_currency, r from (
      select k, r from unnest(keys, kinds, refs, amounts) as leg (key, k, r, m) group by key, k, r having sum(m) <> 0) wanted
    where not exists (
      select from ledger_account a
      where a.merchant_id = merchant and a.kind = k and a.currency = in_currency and a.reference = r)
    order by 2, 4
    on conflict do nothing;

  perform from ledger_account a
    where a.merchant_id = merchant and a.currency = in_currency
      and (a.kind, a.reference) in (select k, r from unnest(kinds, refs) as wanted (k, r))
    order by a.id
    for update;

  with leg as materialized (
    select * from unnest(keys, types, subjects, moments, kinds, refs, amounts) with ordinality
      as leg (key, type, subject, at, k, r, m, place)
  ), transfer as materialized (
    select key, min(type) as type, min(subject) as subject, min(at) as at, min(place) as place from leg group by key
  ), made as materialized (
    insert into ledger_transfer (merchant_id, type, idempotency_key, subject_no, created_at)
    select merchant, type, key, subject, at from transfer order by place
    returning id, idempotency_key as key
  ), entry as materialized (
    select a.id as account_id, a.kind, made.id as transfer_id, moved.type, moved.m,
      a.version + row_number() over way as version,
      a.balance_minor + sum(moved.m) over way as balance_minor,
      a.inflow_minor + sum(greatest(moved.m, 0)) over way as inflow_minor,
      -- A transaction that began earlier may lock the account later, and entries must not go back in time.
      greatest(a.last_at, max(moved.at) over way) as at
    from (
      select transfer.key, transfer.type, transfer.at, transfer.place, k, r, sum(m)::bigint as m
      from transfer join leg on leg.key = transfer.key
      group by transfer.key, transfer.type, transfer.at, transfer.place, k, r having sum(m) <> 0) moved
    join made using (key)
    join ledger_account a on a.merchant_id = merchant and a.currency = in_currency and a.kind = moved.k and a.reference = moved.r
    window way as (partition by a.id order by moved.place rows unbounded preceding)
  ), changed as (
    update ledger_account a
      set balance_minor = last.balance_minor, version = last.version, inflow_minor = last.inflow_minor, last_at = last.at
      from (select distinct on (account_id) * from entry order by account_id, version desc) last
      where a.merchant_id = merchant and a.id = last.account_id
  ), posted as (
    insert into ledger_entry (merchant_id, account_id, version, transfer_id, amount_minor, balance_after_minor,
      inflow_after_minor, statement_type, created_at)
    select merchant, account_id, version, transfer_id, m, balance_minor, inflow_minor,
      case when kind = 'available' then type end, at
    from entry order by account_id, version
  )
  select account_id into overdrawn from entry
    where balance_minor < 0 and kind in ('available', 'locked', 'unsettled') limit 1;
  -- The account's own check sees its balance after the last transfer only.
  if overdrawn is not null then
    raise exception 'account % would be overdrawn midway', overdrawn
      using errcode = 'check_violation', constraint = 'ledger_account_not_negative', table = 'ledger_account';
  end if;
end $$;
call give_function('ledger_post_series', 'hengfu_ledger');
revoke execute on function ledger_post_series from public;
grant execute on function ledger_post_series to hengfu_app, hengfu_system;
