-- Raises serialization_failure if a month of a partitioned table was archived after the snapshot was taken: its rows are gone, and the
-- snapshot has not its parts. Call it after the table was read. If it does not raise, no month is archived until the transaction ends.
create or replace function require_all_months(of_table regclass) returns void
  language plpgsql stable
  as $$
begin
  if exists (select from pg_inherits where inhparent = of_table and pg_table_is_visible(inhrelid) is null) then
    raise exception 'a month of % was archived in the meantime', of_table using errcode = 'serialization_failure';
  end if;
end $$;
