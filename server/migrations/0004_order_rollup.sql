-- Sums of orders in buckets of 15 minutes, so that every UTC offset on earth adds up exactly. Changed in the
-- transaction that changes the orders; spread over stripes so that one merchant's orders need not queue for one row.

create table order_rollup (
  merchant_id bigint not null references merchant,
  kind text not null check (kind in ('collection', 'payout')),
  currency text not null,
  bucket timestamptz not null,
  stripe smallint not null,
  -- By the time of creation.
  created_count bigint not null default 0,
  created_amount_minor bigint not null default 0,
  -- Of those created in this bucket: how many succeeded, how many did not (the rest is undecided).
  created_succeeded_count bigint not null default 0,
  created_lost_count bigint not null default 0,
  -- By the time of completion.
  done_count bigint not null default 0,
  done_amount_minor bigint not null default 0,
  fee_minor bigint not null default 0,
  -- By the time it was given back.
  reversed_count bigint not null default 0,
  reversed_amount_minor bigint not null default 0,
  primary key (merchant_id, kind, currency, bucket, stripe)
) with (fillfactor = 70); -- the present buckets change with every order
call protect_tenant_table('order_rollup');
grant select, insert, update on order_rollup to hengfu_app, hengfu_system;

-- The 15-minute bucket of an instant, and the stripe of this connection.
create function rollup_bucket(at timestamptz) returns timestamptz
  language sql immutable parallel safe
  as $$ select date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00+00') $$;
create function rollup_stripe() returns smallint
  language sql volatile
  as $$ select (pg_backend_pid() % 8)::smallint $$;
