-- needed by tables
-- Makes the partitions of the request log for the UTC days from one instant to another, both included, unless they exist. Returns
-- how many it made. Callers may run at the same moment.
create or replace function make_request_days(first timestamptz, last timestamptz) returns integer
  language plpgsql volatile security definer set search_path = public, pg_temp
  as $$
declare
  parent text;
  starts timestamp;
  part text;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('make_request_days', 0));
  for parent, starts in
    select name, begins
    from unnest(array['api_request', 'api_request_block']) name,
      generate_series(date_trunc('day', first at time zone 'UTC'), last at time zone 'UTC', '1 day') begins
    -- A migration calls this before there are blocks.
    where to_regclass(name) is not null
  loop
    part := format('day.%I', parent || to_char(starts, '_YYYY_MM_DD'));
    continue when to_regclass(part) is not null;
    execute format('create table %s (like %I including defaults including constraints including storage)', part, parent);
    execute format('alter table %s enable row level security, force row level security', part);
    -- Attaching, unlike creating it in place, lets others read and write the partitioned table meanwhile.
    execute format('alter table %I attach partition %s for values from (%L) to (%L)', parent, part,
      starts at time zone 'UTC', (starts + interval '1 day') at time zone 'UTC');
    made := made + 1;
  end loop;
  return made;
end $$;
revoke execute on function make_request_days from public;
