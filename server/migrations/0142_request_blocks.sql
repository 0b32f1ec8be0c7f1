-- The request log keeps created orders in blocks: many calls in one row, compressed (decision 0055).
-- contract: a process of 0.2.0 writes each call as a row and does not show those in blocks.
-- locks: only new tables.

-- Calls of one key, path and address, all done, from one process within a few seconds. Partitioned by day, as `api_request`.
create table api_request_block (
  id bigserial,
  merchant_id bigint not null,
  key_id text not null,
  method text not null,
  path text not null,
  status smallint not null,
  address inet not null,
  -- The times of the earliest and of the latest call.
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  -- The seconds in the numbers of their orders, which are near the times of the calls.
  first_order_at timestamptz(0) not null,
  last_order_at timestamptz(0) not null,
  calls integer not null,
  -- The rest of each call, with masked bodies: JSON, compressed with Zstandard (call-blocks.ts).
  content bytea not null,
  primary key (merchant_id, last_at, id),
  constraint api_request_block_order check (first_at <= last_at and first_order_at <= last_order_at and calls > 0)
) partition by range (last_at);
-- Compressing it again would gain nothing.
alter table api_request_block alter column content set storage external;
create index api_request_block_by_key on api_request_block (merchant_id, key_id, last_at, id);
create index api_request_block_by_address on api_request_block (merchant_id, address, last_at, id);
create index api_request_block_by_path on api_request_block (merchant_id, path, last_at, id);
call protect_tenant_table('api_request_block');
grant select on api_request_block to hengfu_app;
grant select, insert on api_request_block to hengfu_system;
grant usage on sequence api_request_block_id_seq to hengfu_system;

select make_request_days(now(), now() + interval '7 days');
