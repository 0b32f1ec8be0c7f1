-- needed by tables
-- Rejects every change of an append-only table.
create or replace function refuse_change() returns trigger
  language plpgsql volatile
  as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
