-- Materialized totals of orders in buckets of 15 minutes, which add up exactly for every UTC offset. Triggers on the orders'
-- tables keep them in the transaction of each change (functions/add_to_rollup.sql), so no statement can miss them. They are
-- spread over stripes, so that one merchant's orders do not queue for one row.
--
-- An order counts once per axis: by its creation, and by its payment once it is paid. A change of its state moves it from
-- one row to another, so the row of a single stripe may be negative; the sum over stripes never is.

-- `kind` is 'collection' or 'payout', `axis` 'created' or 'paid'. Without checks, which each statement that writes a row parses
-- again, and every create writes one; the rows are derived by the triggers only, and verified against the orders. Not enums
-- either: their equality is not leakproof, so under row-level security no index is searched by them.
create table order_rollup (
  merchant_id bigint not null references merchant,
  kind text not null,
  axis text not null,
  currency text not null,
  bucket timestamptz not null,
  -- Empty while an order has none; likewise settlement_status.
  channel text not null,
  status text not null,
  settlement_status text not null,
  stripe smallint not null,
  orders bigint not null,
  amount_minor bigint not null,
  fee_minor bigint not null,
  -- The bucket precedes the other filters: every reader reads a range of buckets, few of them all states.
  primary key (merchant_id, kind, axis, currency, bucket, channel, status, settlement_status, stripe)
) with (fillfactor = 70); -- The current buckets change with every order.
call protect_tenant_table('order_rollup');
call open_to_intake('order_rollup');
grant select, insert, update on order_rollup to hengfu_app, hengfu_intake, hengfu_system;
grant delete on order_rollup to hengfu_system;

-- The contribution of an order, or of its change, to a row of order_rollup.
create type order_rollup_change as (
  merchant_id bigint, kind text, axis text, currency text, bucket timestamptz, channel text, status text,
  settlement_status text, orders bigint, amount_minor bigint, fee_minor bigint
);

-- The last UTC day of each merchant that is closed, with all days before it: at least a day after its end.
create table order_rollup_closing (
  merchant_id bigint primary key references merchant,
  closed_through date not null
);
call protect_tenant_table('order_rollup_closing');
grant select on order_rollup_closing to hengfu_app;
grant select, insert, update on order_rollup_closing to hengfu_system;

-- Sums of closed UTC days, by the keys of order_rollup, and of each month's closed days. A change to one of their buckets
-- changes them, too, in the same transaction.
create table order_rollup_period (
  merchant_id bigint not null references merchant,
  kind text not null,
  axis text not null,
  currency text not null,
  period text not null check (period in ('day', 'month')),
  starts_on date not null,
  channel text not null,
  status text not null,
  settlement_status text not null,
  orders bigint not null,
  amount_minor bigint not null,
  fee_minor bigint not null,
  primary key (merchant_id, kind, axis, currency, period, starts_on, channel, status, settlement_status)
) with (fillfactor = 70);
call protect_tenant_table('order_rollup_period');
grant select, insert, update on order_rollup_period to hengfu_app, hengfu_system;

-- Running sums of closed UTC days over all orders completed in them. Element i + 1 of each array is the sum of the day's
-- first i quarter-hours, from 0 to 96. Derived from order_rollup: a row is either correct or missing, and if it is missing,
-- the day's buckets are read instead.
create table order_rollup_day (
  merchant_id bigint not null references merchant,
  kind text not null,
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

-- Running sums of the outcomes of closed UTC days: how many of the orders created in a day's first i quarter-hours have
-- succeeded, and how many are lost, by channel (element i + 1 of each array). Derived like order_rollup_day: a day and kind is
-- either correct for all channels or missing.
create table order_outcome_day (
  merchant_id bigint not null references merchant,
  kind text not null,
  currency text not null,
  day date not null,
  channel text not null,
  succeeded_counts bigint[] not null check (cardinality(succeeded_counts) = 97),
  lost_counts bigint[] not null check (cardinality(lost_counts) = 97),
  primary key (merchant_id, kind, currency, day, channel)
);
call protect_tenant_table('order_outcome_day');
grant select, delete on order_outcome_day to hengfu_app;
grant select, insert, delete on order_outcome_day to hengfu_system;
