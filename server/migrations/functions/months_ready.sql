-- How many months after the current one have a partition of every table that is partitioned by month, without a gap.
create or replace function months_ready() returns integer
  language sql stable
  as $$
    select n - 1
    from generate_series(1, 1200) n
    where exists (
      select from pg_class t
      where t.relkind = 'p' and t.relnamespace = 'public'::regnamespace and t.relname not in ('api_request', 'api_request_block') and not exists (
        select from pg_class part
        where part.relnamespace = 'month'::regnamespace and part.relispartition
          and part.relname = month_of(t.relname, date_trunc('month', now() at time zone 'UTC') + n * interval '1 month')))
    order by n limit 1
  $$;
revoke execute on function months_ready from public;
grant execute on function months_ready to hengfu_system;
