-- Drops the partitions of the request log whose UTC day ended before an instant, as a whole. Returns how many. Waits for readers and
-- writers of the log: set a lock timeout and try again.
create or replace function drop_request_days(before timestamptz) returns integer
  language plpgsql volatile security definer set search_path = public, pg_temp
  as $$
declare
  part text;
  dropped integer := 0;
begin
  for part in
    select i.inhrelid::regclass::text
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('api_request'::regclass, 'api_request_block'::regclass) and c.relnamespace = 'day'::regnamespace
      -- A plan may read the names of indexes here, too, which have no day.
      and (to_date(substring(c.relname from '\d{4}_\d\d_\d\d$'), 'YYYY_MM_DD') + 1)::timestamp at time zone 'UTC' <= before
    -- Blocks first: a search for an order locks them first. For other readers, there is the lock timeout.
    order by i.inhparent = 'api_request'::regclass, 1
  loop
    execute format('drop table %s', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
revoke execute on function drop_request_days from public;
grant execute on function drop_request_days to hengfu_system;
