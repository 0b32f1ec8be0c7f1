-- Double-entry ledger. A transfer is a set of entries that sum to zero per currency. Every account belongs to one
-- merchant, the service's side too (fees, clearing, crypto, adjustments): a posting touches one merchant's rows only.
-- Only ledger_post writes, under a role of its own; nobody updates or deletes an entry.

create table ledger_account (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  kind text not null check (kind in ('available', 'locked', 'unsettled', 'fees', 'clearing', 'crypto', 'adjustments')),
  -- The channel of a clearing account, the network of a crypto account, else empty.
  reference text not null default '',
  currency text not null,
  balance_minor bigint not null default 0,
  version bigint not null default 0,
  constraint ledger_account_not_negative
    check (balance_minor >= 0 or kind not in ('available', 'locked', 'unsettled')),
  constraint ledger_account_identity unique (merchant_id, kind, currency, reference)
) with (fillfactor = 50); -- a hot account's new versions stay on its page

create table ledger_transfer (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchant,
  type text not null,
  -- What made it, once: a second posting under the same key is refused.
  idempotency_key text not null,
  -- Public number of the order or batch it belongs to.
  subject_no text not null,
  created_at timestamptz not null default now(),
  constraint ledger_transfer_once unique (merchant_id, idempotency_key)
);
create index ledger_transfer_subject on ledger_transfer (merchant_id, subject_no);

create table ledger_entry (
  merchant_id bigint not null,
  account_id bigint not null references ledger_account,
  -- 1, 2, 3 … without a gap: the account's version after this entry.
  version bigint not null,
  transfer_id bigint not null references ledger_transfer,
  amount_minor bigint not null check (amount_minor <> 0),
  balance_after_minor bigint not null,
  created_at timestamptz not null default now(),
  primary key (account_id, version)
);
create index ledger_entry_transfer on ledger_entry (transfer_id);

call protect_tenant_table('ledger_account');
call protect_tenant_table('ledger_transfer');
call protect_tenant_table('ledger_entry');
create policy writer on ledger_account to hengfu_ledger using (merchant_id = current_merchant());
create policy writer on ledger_transfer to hengfu_ledger using (merchant_id = current_merchant());
create policy writer on ledger_entry to hengfu_ledger using (merchant_id = current_merchant());
grant select on ledger_account, ledger_transfer, ledger_entry to hengfu_app, hengfu_system;
grant select, insert, update on ledger_account to hengfu_ledger;
grant select, insert on ledger_transfer, ledger_entry to hengfu_ledger;

create function refuse_change() returns trigger
  language plpgsql
  as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete or truncate on ledger_entry
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on ledger_transfer
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on audit
  for each statement execute function refuse_change();

-- Posts one transfer for the merchant of the transaction: entry i moves amounts[i] on the account (kinds[i],
-- refs[i]). Accounts are locked in the order of their ids, so that no two postings wait for each other.
-- Raises: ledger_unbalanced (sum not zero), unique_violation on ledger_transfer_once (posted before),
-- check_violation on ledger_account_not_negative (funds do not cover it).
create function ledger_post(
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
      set balance_minor = a.balance_minor + moved.amount, version = a.version + 1
      from moved
      where a.merchant_id = merchant and a.currency = in_currency and a.kind = moved.k and a.reference = moved.r
      returning a.id, a.version, moved.amount, a.balance_minor
  )
  insert into ledger_entry (merchant_id, account_id, version, transfer_id, amount_minor, balance_after_minor, created_at)
    select merchant, id, version, new_transfer, amount, balance_minor, at from changed;

  return new_transfer;
end $$;
grant create on schema public to hengfu_ledger;
do $$ begin execute format('grant hengfu_ledger to %I', current_user); end $$;
alter function ledger_post owner to hengfu_ledger;
revoke create on schema public from hengfu_ledger;
revoke execute on function ledger_post from public;
grant execute on function ledger_post to hengfu_app, hengfu_system;

-- What must never be true, one row per violation; empty on a sound ledger. Reads everything: for a role that sees
-- all merchants.
create function ledger_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'transfer_sums_to_zero', format('transfer %s: %s %s', e.transfer_id, sum(e.amount_minor), a.currency)
      from ledger_entry e join ledger_account a on a.id = e.account_id
      group by e.transfer_id, a.currency having sum(e.amount_minor) <> 0
    union all
    select 'transfer_has_entries', format('transfer %s has none', t.id)
      from ledger_transfer t where not exists (select from ledger_entry e where e.transfer_id = t.id)
    union all
    select 'entry_of_one_merchant', format('entry %s/%s', e.account_id, e.version)
      from ledger_entry e join ledger_account a on a.id = e.account_id join ledger_transfer t on t.id = e.transfer_id
      where e.merchant_id <> a.merchant_id or e.merchant_id <> t.merchant_id
    union all
    select 'balance_is_sum_of_entries',
        format('account %s: balance %s, entries %s, version %s, count %s',
          a.id, a.balance_minor, s.total, a.version, s.count)
      from ledger_account a
      left join lateral (
        select coalesce(sum(e.amount_minor), 0) as total, count(*) as count, coalesce(max(e.version), 0) as last
        from ledger_entry e where e.account_id = a.id) s on true
      where a.balance_minor <> s.total or a.version <> s.count or a.version <> s.last
    union all
    select 'running_balance', format('account %s version %s', x.account_id, x.version)
      from (
        select account_id, version, balance_after_minor,
          sum(amount_minor) over (partition by account_id order by version) as running
        from ledger_entry) x
      where x.running <> x.balance_after_minor
    union all
    select 'merchant_account_not_negative', format('account %s: %s', id, balance_minor)
      from ledger_account where kind in ('available', 'locked', 'unsettled') and balance_minor < 0
  $$;
