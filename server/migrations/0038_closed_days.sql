-- Days that have passed are kept as running sums over their quarters of an hour, one row a day: a report under any offset
-- takes two numbers of each, where it took ninety-six rows.

-- A day of UTC that ended a day ago or earlier. Element i + 1 of each array is the sum of the day's first i quarters of an hour,
-- from none (0) to all 96. Derived from order_rollup, and only ever missing or right: the day's buckets are read where a row
-- is missing.
create table order_rollup_day (
  merchant_id bigint not null references merchant,
  kind text not null check (kind in ('collection', 'payout')),
  currency text not null,
  day date not null,
  done_counts bigint[] not null check (cardinality(done_counts) = 97),
  done_amounts_minor bigint[] not null check (cardinality(done_amounts_minor) = 97),
  fees_minor bigint[] not null check (cardinality(fees_minor) = 97),
  primary key (merchant_id, kind, currency, day)
);
-- A row is read whole, and fits a page.
alter table order_rollup_day alter done_counts set storage plain, alter done_amounts_minor set storage plain,
  alter fees_minor set storage plain;
call protect_tenant_table('order_rollup_day');
grant select, delete on order_rollup_day to hengfu_app;
grant select, insert, delete on order_rollup_day to hengfu_system;

-- What a merchant's closed days hold does not change behind their back, and they do not close while it does.
create function lock_closed_days(merchant bigint) returns void
  language sql volatile
  as $$ select pg_advisory_xact_lock(hashtextextended('closed days ' || merchant, 0)) $$;

-- Sums of a time that has long passed come about when history is written: the day is told by its buckets again.
create function reopen_rollup_day() returns trigger
  language plpgsql
  as $$
begin
  perform lock_closed_days(new.merchant_id);
  delete from order_rollup_day where merchant_id = new.merchant_id and kind = new.kind and currency = new.currency
    and day = (new.bucket at time zone 'UTC')::date;
  return null;
end $$;
create trigger reopen_day_of_new after insert on order_rollup for each row
  when (new.bucket < now() - interval '1 day' and (new.done_count, new.done_amount_minor, new.fee_minor) <> (0, 0, 0))
  execute function reopen_rollup_day();
create trigger reopen_day_of_changed after update on order_rollup for each row
  when (new.bucket < now() - interval '1 day'
    and (new.done_count, new.done_amount_minor, new.fee_minor) is distinct from (old.done_count, old.done_amount_minor, old.fee_minor))
  execute function reopen_rollup_day();

-- The running sums of a merchant's days, as the buckets have them; of days that have any.
create function rollup_days(merchant bigint, first_day date, last_day date) returns setof order_rollup_day
  language sql stable
  as $$
    with buckets as materialized (
      select kind, currency, (bucket at time zone 'UTC')::date as day,
        (extract(epoch from bucket)::bigint / 900 % 96)::integer as quarter, done_count, done_amount_minor, fee_minor
      from order_rollup
      where merchant_id = merchant and bucket >= first_day::timestamp at time zone 'UTC'
        and bucket < (last_day + 1)::timestamp at time zone 'UTC'
    ), quarters as (
      select kind, currency, day, quarter, sum(done_count) as done, sum(done_amount_minor) as amount, sum(fee_minor) as fee
      from (
        select * from buckets
        union all
        select kind, currency, day, quarter, 0, 0, 0
        from (select distinct kind, currency, day from buckets) days cross join generate_series(0, 95) as quarter) every
      group by kind, currency, day, quarter
    ), running as (
      select kind, currency, day, quarter, (sum(done) over so_far)::bigint as done, (sum(amount) over so_far)::bigint as amount,
        (sum(fee) over so_far)::bigint as fee
      from quarters window so_far as (partition by kind, currency, day order by quarter)
    )
    select merchant, kind, currency, day, array[0::bigint] || array_agg(done order by quarter),
      array[0::bigint] || array_agg(amount order by quarter), array[0::bigint] || array_agg(fee order by quarter)
    from running group by kind, currency, day
  $$;

-- Keeps the running sums of a merchant's days that have passed since it was last done; returns how many.
create function close_rollup_days(merchant bigint) returns integer
  language plpgsql
  as $$
declare
  first_day date;
  closed integer;
begin
  perform lock_closed_days(merchant);
  -- Looked at anew, behind the lock.
  first_day := coalesce(
    (select max(day) + 1 from order_rollup_day where merchant_id = merchant),
    (select (min(bucket) at time zone 'UTC')::date from order_rollup where merchant_id = merchant));
  insert into order_rollup_day
    select * from rollup_days(merchant, first_day, (now() at time zone 'UTC')::date - 2) on conflict do nothing;
  get diagnostics closed = row_count;
  return closed;
end $$;

-- Where closed days and their buckets disagree, one row per violation; empty on a sound system.
create function rollup_day_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'closed_day_is_sum_of_buckets', format('merchant %s %s %s %s', c.merchant_id, c.kind, c.currency, c.day)
      from order_rollup_day c
      left join (
        select d.* from merchant m cross join lateral rollup_days(m.id, date '2000-01-01', (now() at time zone 'UTC')::date) d
      ) b using (merchant_id, kind, currency, day)
      where (c.done_counts, c.done_amounts_minor, c.fees_minor)
        is distinct from (b.done_counts, b.done_amounts_minor, b.fees_minor)
  $$;
