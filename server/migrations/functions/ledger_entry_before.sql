-- An account's last entry before an instant; null if there is none. One index probe per month, from the latest that may hold
-- it backwards. The plan is generic, because planning for all months takes longer than the probe.
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
    order by created_at desc, version desc limit 1;
  return found_entry;
end $$;
