-- The statistics of the tables that grow with each order are gathered anew when they have grown by a quarter. By default it is a tenth, which a young table under
-- load gains every minute: ANALYZE then takes a processor for a second, while orders pile up. Vacuum, which costs little, runs as often as before. Earlier
-- months no longer grow.
-- locks: each table is locked until the migration ends; others read and write it meanwhile, also while this waits for one. Only vacuums and the like
-- exclude it. PostgreSQL ends a vacuum of its own that is in the way, but only after a second, and not one against wraparound.
set local lock_timeout = '5s';
do $$
declare
  grows regclass;
begin
  for grows in
    select c.oid from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'month'::regnamespace
      and right(c.relname, 8) >= to_char(now() at time zone 'UTC', '_YYYY_MM')
    union all
    select unnest(array['collection', 'payout', 'ledger_transfer', 'used_nonce']::regclass[])
  loop
    execute format('alter table %s set (autovacuum_analyze_scale_factor = 0.25)', grows);
  end loop;
end $$;
