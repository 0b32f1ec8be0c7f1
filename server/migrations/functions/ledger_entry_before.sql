-- An account's last entry before an instant; null if there is none. Looks into the last two months before the instant, then
-- into all of them. The plans are generic, because planning for every month takes longer than the probe.
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
  return found_entry;
end $$;
