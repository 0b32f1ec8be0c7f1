-- The money of all live merchants together, by ledger account: what is there now, and what came in and went out since an
-- instant. Reads one row per account, and one index probe for each that has moved since.
create or replace function staff_money(since timestamptz)
  returns table (kind text, reference text, currency text, balance_minor bigint, in_minor bigint, out_minor bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select a.kind, a.reference, a.currency, sum(a.balance_minor)::bigint,
      coalesce(sum(a.inflow_minor - coalesce(e.inflow_after_minor, 0)) filter (where a.last_at >= since), 0)::bigint,
      coalesce(sum(a.inflow_minor - a.balance_minor - coalesce(e.inflow_after_minor - e.balance_after_minor, 0))
        filter (where a.last_at >= since), 0)::bigint
    from ledger_account a
    join merchant m on m.id = a.merchant_id and m.mode = 'live'
    left join lateral ledger_entry_before(a.merchant_id, a.id, since) e on a.last_at >= since
    group by 1, 2, 3
  $$;
call give_function('staff_money', 'hengfu_overview');
grant execute on function staff_money to hengfu_staff, hengfu_system;
