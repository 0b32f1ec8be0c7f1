-- Returns one row per violation of the ledger's invariants; none if all is well. Reads everything, so it needs a role that
-- sees all merchants.
create or replace function ledger_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'transfer_sums_to_zero', format('transfer %s: %s %s', e.transfer_id, sum(e.amount_minor), a.currency)
      from ledger_entry e join ledger_account a on a.merchant_id = e.merchant_id and a.id = e.account_id
      group by e.transfer_id, a.currency having sum(e.amount_minor) <> 0
    union all
    select 'transfer_has_entries', format('transfer %s has none', t.id)
      from ledger_transfer t where not exists (
        select from ledger_entry e where e.merchant_id = t.merchant_id and e.transfer_id = t.id)
    union all
    select 'balance_is_sum_of_entries',
        format('account %s: balance %s, entries %s, version %s, count %s',
          a.id, a.balance_minor, s.total, a.version, s.count)
      from ledger_account a
      left join lateral (
        select coalesce(sum(e.amount_minor), 0) as total, count(*) as count, coalesce(max(e.version), 0) as last
        from ledger_entry e where e.merchant_id = a.merchant_id and e.account_id = a.id) s on true
      where a.balance_minor <> s.total or a.version <> s.count or a.version <> s.last
    union all
    select 'running_balance', format('account %s version %s', x.account_id, x.version)
      from (
        select account_id, version, balance_after_minor,
          sum(amount_minor) over earlier as running, row_number() over earlier as place
        from ledger_entry window earlier as (partition by account_id order by version, created_at rows unbounded preceding)) x
      where x.running <> x.balance_after_minor or x.version <> x.place
    union all
    select 'merchant_account_not_negative', format('account %s: %s', id, balance_minor)
      from ledger_account where kind in ('available', 'locked', 'unsettled') and balance_minor < 0
  $$;
