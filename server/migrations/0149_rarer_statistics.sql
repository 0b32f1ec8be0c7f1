-- The statistics of a table that orders make grow are gathered anew when it has grown by half. By default it is a tenth, which a young table under load
-- gains every minute: autovacuum then takes a processor for a second, while orders pile up. Vacuum, which costs little, runs as often as before.
do $$
declare
  part regclass;
begin
  for part in
    select i.inhrelid from pg_inherits i join pg_class p on p.oid = i.inhparent
    -- Indexes have partitions, too.
    join pg_class c on c.oid = i.inhrelid and c.relkind = 'r'
    where c.relnamespace = 'month'::regnamespace
    union all
    select unnest(array['collection', 'payout', 'ledger_transfer', 'used_nonce']::regclass[])
  loop
    execute format('alter table %s set (autovacuum_analyze_scale_factor = 0.5)', part);
  end loop;
end $$;
