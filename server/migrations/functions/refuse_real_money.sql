-- needed by tables
-- Refuses orders of a test merchant that would move real money, whichever process makes them.
create or replace function refuse_real_money() returns trigger
  language plpgsql volatile
  as $$
begin
  if is_test_merchant(new.merchant_id) then
    raise exception 'a test merchant moves no cryptocurrency'
      using errcode = 'check_violation', constraint = 'no_real_money', table = tg_table_name;
  end if;
  return new;
end $$;
