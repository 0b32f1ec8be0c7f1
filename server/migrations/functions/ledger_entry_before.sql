-- An account's last entry before an instant; null if there is none. Looks into the last two months before the instant, then
-- into all of them, then into the archived months that ended before it, of which only the running totals of the last entry are
-- known. Within an archived month, it returns the last entry before that month. The plans are generic, because planning for
-- every month takes longer than the probe.
-- Raises serialization_failure if the entry is in a month that was archived after the snapshot was taken: its rows are gone, and
-- the snapshot has neither its sums nor its parts. If it does not, no month is archived until the transaction ends.
create or replace function ledger_entry_before(of_merchant bigint, of_account bigint, before timestamptz)
  returns ledger_entry
  language plpgsql stable
  set plan_cache_mode = force_generic_plan
  as $$
declare
  found_entry ledger_entry;
begin
  select * into found_entry from ledger_entry
    where merchant_id = of_merchant and account_id = of_account and created_at < before
      and created_at >= least(before, now()) - interval '62 days'
    order by created_at desc, version desc limit 1;
  if not found then
    select * into found_entry from ledger_entry
      where merchant_id = of_merchant and account_id = of_account and created_at < before
      order by created_at desc, version desc limit 1;
  end if;
  if not found then
    perform require_all_months('ledger_entry');
    select s.merchant_id, s.account_id, s.last_version, s.last_at, s.balance_after_minor, s.inflow_after_minor
      into found_entry.merchant_id, found_entry.account_id, found_entry.version, found_entry.created_at,
        found_entry.balance_after_minor, found_entry.inflow_after_minor
      from archived_entry_sum s
      where s.merchant_id = of_merchant and s.account_id = of_account
        and (s.month + interval '1 month') at time zone 'UTC' <= before
      order by s.month desc limit 1;
  end if;
  return found_entry;
end $$;
