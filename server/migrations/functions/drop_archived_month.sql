-- Drops the partition of a month whose rows are in the archive, in the transaction that records the file. Waits for readers
-- and writers of the table: set a lock timeout and try again.
create or replace function drop_archived_month(of_table text, of_month date) returns void
  language plpgsql volatile security definer set search_path = public, pg_temp
  as $$
declare
  part text := format('month.%I', month_of(of_table, of_month::timestamp));
begin
  if not exists (
    select from archived_month where table_name = of_table and month = of_month and archived_at is not null
  ) then
    raise exception '% of % is not archived', of_table, of_month;
  end if;
  execute format('alter table %I detach partition %s', of_table, part);
  execute format('drop table %s', part);
end $$;
revoke execute on function drop_archived_month from public;
grant execute on function drop_archived_month to hengfu_system;
