-- The request log: the signed calls of merchants' systems, with masked bodies, one partition for each UTC day (decision 0049).
-- locks: only new tables.

-- Holds the partitions of the request log, made by make_request_days. As with the months, no role of the application may use it.
create schema day;
grant execute on function make_request_days to hengfu_system;

-- Without references to other tables, so that a partition is made and dropped without locking them.
create table api_request (
  id bigserial,
  merchant_id bigint not null,
  at timestamptz(3) not null,
  request_id uuid not null,
  key_id text not null,
  method text not null,
  path text not null,
  -- With masked values.
  query text,
  status smallint not null,
  -- The code of the error; null if the call was done.
  code text,
  duration_ms integer not null,
  address inet,
  trade_no text collate "C",
  out_trade_no text collate "C",
  -- The explanation of a refusal, as the contract describes it.
  reason jsonb,
  request_bytes integer not null,
  -- JSON with masked values; null if the body was not JSON.
  request_body text,
  response_bytes integer not null,
  response_body text,
  -- Something of the body was left out because it was too long.
  is_request_cut boolean not null default false,
  is_response_cut boolean not null default false,
  primary key (merchant_id, at, id),
  constraint api_request_bodies check (octet_length(request_body) <= 4096 and octet_length(response_body) <= 4096)
) partition by range (at);
create index api_request_by_id on api_request (merchant_id, request_id);
create index api_request_by_order on api_request (merchant_id, trade_no) where trade_no is not null;
create index api_request_by_own_number on api_request (merchant_id, out_trade_no) where out_trade_no is not null;
create index api_request_refused on api_request (merchant_id, at, id) where status >= 400;
call protect_tenant_table('api_request');
grant select on api_request to hengfu_app;
grant select, insert on api_request to hengfu_system;
grant usage on sequence api_request_id_seq to hengfu_system;

-- Refused calls of a key in an hour, and calls that could not be kept for lack of memory.
create table api_request_count (
  merchant_id bigint not null,
  key_id text not null,
  hour timestamptz not null,
  refused bigint not null,
  lost bigint not null,
  primary key (merchant_id, key_id, hour)
);
call protect_tenant_table('api_request_count');
grant select on api_request_count to hengfu_app;
grant select, insert, update, delete on api_request_count to hengfu_system;

select make_request_days(now(), now() + interval '7 days');
