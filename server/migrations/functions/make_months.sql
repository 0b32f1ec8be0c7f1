-- needed by tables
-- Makes the partitions of every table that is partitioned by month for the UTC months from one instant to another, both included, unless they
-- exist or are archived. Returns how many it made. Callers may run at the same moment. Attaching a partition locks the tables that its
-- foreign keys reference against writes: on a busy system, set a lock timeout and try again.
create or replace function make_months(first timestamptz, last timestamptz) returns integer
  language plpgsql volatile security definer set search_path = public, pg_temp
  as $$
declare
  parent name;
  starts timestamp;
  part text;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('make_months', 0));
  for parent, starts in
    select t.relname, begins
    from pg_class t
    cross join generate_series(date_trunc('month', first at time zone 'UTC'), last at time zone 'UTC', '1 month') begins
    where t.relkind = 'p' and t.relnamespace = 'public'::regnamespace
      -- Partitioned by day (make_request_days).
      and t.relname not in ('api_request', 'api_request_block')
    order by begins, t.relname
  loop
    part := format('month.%I', month_of(parent, starts));
    continue when to_regclass(part) is not null;
    continue when exists (
      select from archived_month a where a.table_name = parent and a.month = starts::date and a.archived_at is not null);
    -- As in 0149_rarer_statistics.sql.
    execute format('create table %s (like %I including defaults including constraints)
      with (autovacuum_analyze_scale_factor = 0.25)', part, parent);
    execute format('alter table %s enable row level security, force row level security', part);
    -- Statement triggers of the partitioned table see only the statements that name it.
    if exists (select from pg_trigger where tgrelid = to_regclass(quote_ident(parent)) and tgname = 'append_only') then
      execute format('create trigger append_only before delete or update or truncate on %s
        for each statement execute function refuse_change()', part);
    end if;
    -- Attaching, unlike creating it in place, lets others read and write the partitioned table meanwhile.
    execute format('alter table %I attach partition %s for values from (%L) to (%L)', parent, part,
      starts at time zone 'UTC', (starts + interval '1 month') at time zone 'UTC');
    made := made + 1;
  end loop;
  return made;
end $$;
revoke execute on function make_months from public;
