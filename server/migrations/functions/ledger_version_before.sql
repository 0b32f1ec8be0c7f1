-- The version of an account's last entry before an instant; 0 if there is none. Reads about thirty entries at most.
create or replace function ledger_version_before(of_merchant bigint, of_account bigint, before timestamptz)
  returns bigint
  language plpgsql stable
  as $$
declare
  low bigint := 0;
  high bigint := coalesce((select version from ledger_account where merchant_id = of_merchant and id = of_account), 0) + 1;
  middle bigint;
begin
  while high - low > 1 loop
    middle := (low + high) / 2;
    if (select created_at < before from ledger_entry
        where merchant_id = of_merchant and account_id = of_account and version = middle) then
      low := middle;
    else
      high := middle;
    end if;
  end loop;
  return low;
end $$;
