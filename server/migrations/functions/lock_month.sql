-- Prevents inserts into a month of a table until the transaction ends. Readers continue.
create or replace function lock_month(of_table text, of_month date) returns void
  language plpgsql volatile security definer set search_path = public, pg_temp
  as $$
begin
  execute format('lock table month.%I in share mode', month_of(of_table, of_month::timestamp));
end $$;
revoke execute on function lock_month from public;
grant execute on function lock_month to hengfu_system;
