-- The statement of available funds. Entries of an account are in the order of time as they are in the order of their
-- versions, so that a range of time is a range of versions, found by halving; each carries what came in up to it, so
-- that what came in and went out in a range is a difference of two.

alter table ledger_account
  add column last_at timestamptz,
  add column inflow_minor bigint not null default 0;
alter table ledger_entry
  add column inflow_after_minor bigint,
  -- The transfer's type, on entries of available funds only.
  add column statement_type text;

do $$
begin
  -- What was posted before is completed, once; the application may still change nothing.
  alter table ledger_entry no force row level security;
  alter table ledger_account no force row level security;
  alter table ledger_transfer no force row level security;
  alter table ledger_entry disable trigger append_only;
  update ledger_entry e set inflow_after_minor = s.inflow, created_at = s.at,
      statement_type = case when a.kind = 'available' then t.type end
    from (select account_id, version, sum(greatest(amount_minor, 0)) over w as inflow, max(created_at) over w as at
      from ledger_entry window w as (partition by account_id order by version)) s, ledger_account a, ledger_transfer t
    where s.account_id = e.account_id and s.version = e.version and a.id = e.account_id and t.id = e.transfer_id;
  update ledger_account a set inflow_minor = s.inflow, last_at = s.last_at
    from (select account_id, max(inflow_after_minor) as inflow, max(created_at) as last_at from ledger_entry group by account_id) s
    where s.account_id = a.id;
  alter table ledger_entry enable trigger append_only;
  alter table ledger_entry force row level security;
  alter table ledger_account force row level security;
  alter table ledger_transfer force row level security;
end $$;
alter table ledger_entry alter column inflow_after_minor set not null;
create index ledger_entry_statement on ledger_entry (account_id, statement_type, version desc)
  where statement_type is not null;

create or replace function ledger_post(
  transfer_type text, transfer_key text, subject text, in_currency text,
  kinds text[], refs text[], amounts bigint[], at timestamptz
) returns bigint
  language plpgsql security definer set search_path = public, pg_temp
  as $$
declare
  merchant bigint := current_merchant();
  new_transfer bigint;
begin
  if merchant is null then
    raise exception 'ledger_post needs a merchant' using errcode = 'insufficient_privilege';
  end if;
  if coalesce((select sum(a) from unnest(amounts) a), 1) <> 0 then
    raise exception 'ledger_unbalanced: entries of % % do not sum to zero', transfer_type, subject;
  end if;

  insert into ledger_transfer (merchant_id, type, idempotency_key, subject_no, created_at)
    values (merchant, transfer_type, transfer_key, subject, at)
    returning id into new_transfer;

  insert into ledger_account (merchant_id, kind, currency, reference)
    select merchant, k, in_currency, r from unnest(kinds, refs) as wanted (k, r)
    where not exists (
      select from ledger_account a
      where a.merchant_id = merchant and a.kind = k and a.currency = in_currency and a.reference = r)
    on conflict do nothing;

  perform from ledger_account a
    where a.merchant_id = merchant and a.currency = in_currency
      and (a.kind, a.reference) in (select k, r from unnest(kinds, refs) as wanted (k, r))
    order by a.id
    for update;

  with moved as (
    select k, r, sum(m)::bigint as amount from unnest(kinds, refs, amounts) as move (k, r, m)
    group by k, r having sum(m) <> 0
  ), changed as (
    update ledger_account a
      set balance_minor = a.balance_minor + moved.amount, version = a.version + 1,
        -- A transaction that began earlier may get the account later.
        last_at = greatest(at, a.last_at), inflow_minor = a.inflow_minor + greatest(moved.amount, 0)
      from moved
      where a.merchant_id = merchant and a.currency = in_currency and a.kind = moved.k and a.reference = moved.r
      returning a.id, a.kind, a.version, moved.amount, a.balance_minor, a.inflow_minor, a.last_at
  )
  insert into ledger_entry (merchant_id, account_id, version, transfer_id, amount_minor, balance_after_minor,
      inflow_after_minor, statement_type, created_at)
    select merchant, id, version, new_transfer, amount, balance_minor, inflow_minor,
      case when kind = 'available' then transfer_type end, last_at from changed;

  return new_transfer;
end $$;

-- The version of an account's last entry before an instant; 0 where there is none. Reads some thirty entries at the most.
create function ledger_version_before(of_account bigint, before timestamptz) returns bigint
  language plpgsql stable
  as $$
declare
  low bigint := 0;
  high bigint := coalesce((select version from ledger_account where id = of_account), 0) + 1;
  middle bigint;
begin
  while high - low > 1 loop
    middle := (low + high) / 2;
    if (select created_at < before from ledger_entry where account_id = of_account and version = middle) then
      low := middle;
    else
      high := middle;
    end if;
  end loop;
  return low;
end $$;

create function fund_flow_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'entries_are_in_order_of_time', format('account %s version %s', account_id, version)
      from (select account_id, version, created_at, lag(created_at) over w as earlier, inflow_after_minor, amount_minor,
          coalesce(lag(inflow_after_minor) over w, 0) as inflow_before
        from ledger_entry window w as (partition by account_id order by version)) e
      where created_at < earlier or inflow_after_minor <> inflow_before + greatest(amount_minor, 0)
    union all
    select 'statement_has_the_type', format('account %s version %s', e.account_id, e.version)
      from ledger_entry e join ledger_account a on a.id = e.account_id join ledger_transfer t on t.id = e.transfer_id
      where e.statement_type is distinct from case when a.kind = 'available' then t.type end
    union all
    select 'funds_transfer_has_two_sides', format('%s: %s', t.subject_no, sum(e.amount_minor))
      from ledger_transfer t join ledger_entry e on e.transfer_id = t.id
      where e.statement_type in ('funds_transfer_in', 'funds_transfer_out')
      group by t.subject_no having sum(e.amount_minor) <> 0
  $$;
