-- Returns one row per violation of the ledger's invariants; none if all is well. Reads everything, so it needs a role that
-- sees all merchants. Archived entries are proved by their sums.
create or replace function ledger_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'transfer_sums_to_zero', format('transfer %s: %s %s', transfer_id, sum(amount_minor), currency)
      from (
        select e.transfer_id, a.currency, e.amount_minor
          from ledger_entry e join ledger_account a on a.merchant_id = e.merchant_id and a.id = e.account_id
        union all
        select transfer_id, currency, amount_minor from archived_split_transfer) legs
      group by transfer_id, currency having sum(amount_minor) <> 0
    union all
    select 'transfer_has_entries', format('transfer %s has none', t.id)
      from ledger_transfer t
      where t.created_at >= archived_entries_end() and not exists (
        select from ledger_entry e where e.merchant_id = t.merchant_id and e.transfer_id = t.id)
    union all
    select 'balance_is_sum_of_entries',
        format('account %s: balance %s, entries %s, version %s, count %s',
          a.id, a.balance_minor, s.total + old.total, a.version, s.count + old.count)
      from ledger_account a
      left join lateral (
        select coalesce(sum(e.amount_minor), 0) as total, count(*) as count, coalesce(max(e.version), 0) as last
        from ledger_entry e where e.merchant_id = a.merchant_id and e.account_id = a.id) s on true
      left join lateral (
        select coalesce(sum(o.credit_minor - o.debit_minor), 0) as total, coalesce(sum(o.entry_count), 0) as count,
          coalesce(max(o.last_version), 0) as last
        from archived_entry_sum o where o.merchant_id = a.merchant_id and o.account_id = a.id) old on true
      where a.balance_minor <> s.total + old.total or a.version <> s.count + old.count
        or a.version <> greatest(s.last, old.last)
    union all
    select 'running_balance', format('account %s version %s', x.account_id, x.version)
      from (
        select e.account_id, e.version, e.balance_after_minor,
          coalesce(old.balance_after_minor, 0) + sum(e.amount_minor) over earlier as running,
          coalesce(old.last_version, 0) + row_number() over earlier as place
        from ledger_entry e
        left join (
          select distinct on (account_id) account_id, last_version, balance_after_minor
          from archived_entry_sum order by account_id, month desc) old on old.account_id = e.account_id
        window earlier as (partition by e.account_id order by e.version, e.created_at rows unbounded preceding)) x
      where x.running <> x.balance_after_minor or x.version <> x.place
    union all
    select 'merchant_account_not_negative', format('account %s: %s', id, balance_minor)
      from ledger_account where kind in ('available', 'locked', 'unsettled') and balance_minor < 0
    union all
    select 'archived_month_sums_to_zero',
        format('merchant %s %s: %s %s', merchant_id, to_char(month, 'YYYY-MM'), sum(amount_minor), currency)
      from (
        select s.merchant_id, s.month, a.currency, s.credit_minor - s.debit_minor as amount_minor
          from archived_entry_sum s join ledger_account a on a.merchant_id = s.merchant_id and a.id = s.account_id
        union all
        select merchant_id, month, currency, -amount_minor from archived_split_transfer) sums
      group by merchant_id, month, currency having sum(amount_minor) <> 0
    union all
    select 'archived_running_totals', format('account %s %s', account_id, to_char(month, 'YYYY-MM'))
      from (
        select account_id, month, last_version, last_at, balance_after_minor, inflow_after_minor,
          sum(entry_count) over earlier as place, sum(credit_minor - debit_minor) over earlier as running,
          sum(credit_minor) over earlier as inflow
        from archived_entry_sum
        window earlier as (partition by account_id order by month rows unbounded preceding)) s
      where s.last_version <> s.place or s.balance_after_minor <> s.running or s.inflow_after_minor <> s.inflow
        or date_trunc('month', s.last_at at time zone 'UTC') <> s.month
    union all
    select 'archived_rows_have_sums', format('%s: %s rows, sums of %s', to_char(m.month, 'YYYY-MM'), m.row_count, coalesce(s.count, 0))
      from archived_month m
      left join (select month, sum(entry_count) as count from archived_entry_sum group by month) s using (month)
      where m.table_name = 'ledger_entry' and m.archived_at is not null and m.row_count <> coalesce(s.count, 0)
  $$;
