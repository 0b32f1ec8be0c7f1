-- The instant before which entries are in the archive; -infinity if none are. A transfer posted before it may have its
-- entries there.
create or replace function archived_entries_end() returns timestamptz
  language sql stable
  as $$
    select coalesce(max(month) + interval '1 month', '-infinity'::timestamp) at time zone 'UTC'
    from archived_month where table_name = 'ledger_entry' and archived_at is not null
  $$;
