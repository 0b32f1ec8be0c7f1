-- Materialized totals of orders in buckets of 15 minutes, which add up exactly for every UTC offset. They change in the
-- transaction that changes the orders, and are spread over stripes so that one merchant's orders do not queue for one row.

create table order_rollup (
  merchant_id bigint not null references merchant,
  kind text not null check (kind in ('collection', 'payout')),
  currency text not null,
  bucket timestamptz not null,
  stripe smallint not null,
  -- By the time of creation.
  created_count bigint not null default 0,
  created_amount_minor bigint not null default 0,
  -- Of those created in this bucket: how many succeeded and how many failed; the rest are pending.
  created_succeeded_count bigint not null default 0,
  created_lost_count bigint not null default 0,
  -- By the time of completion.
  done_count bigint not null default 0,
  done_amount_minor bigint not null default 0,
  fee_minor bigint not null default 0,
  -- By the time of the refund.
  reversed_count bigint not null default 0,
  reversed_amount_minor bigint not null default 0,
  primary key (merchant_id, kind, currency, bucket, stripe)
) with (fillfactor = 70); -- The current buckets change with every order.
call protect_tenant_table('order_rollup');
call open_to_intake('order_rollup');
grant select, insert, update on order_rollup to hengfu_app, hengfu_intake, hengfu_system;
create trigger reopen_day_of_changed after update on order_rollup
  for each row
  when (new.bucket < now() - interval '1 day'
    and (new.done_count is distinct from old.done_count or new.done_amount_minor is distinct from old.done_amount_minor
      or new.fee_minor is distinct from old.fee_minor))
  execute function reopen_rollup_day();
create trigger reopen_day_of_new after insert on order_rollup
  for each row
  when (new.bucket < now() - interval '1 day'
    and (new.done_count <> 0 or new.done_amount_minor <> 0 or new.fee_minor <> 0))
  execute function reopen_rollup_day();

-- Running sums of UTC days that ended at least a day ago. Element i + 1 of each array is the sum of the day's first i
-- quarter-hours, from 0 to 96. Derived from order_rollup: a row is either correct or missing, and if it is missing, the
-- day's buckets are read instead.
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
call protect_tenant_table('order_rollup_day');
grant select, delete on order_rollup_day to hengfu_app;
grant select, insert, delete on order_rollup_day to hengfu_system;
