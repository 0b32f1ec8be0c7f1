-- Messages to the merchants' servers (Standard Webhooks) and every attempt to deliver them.

create table callback_message (
  id uuid primary key default gen_random_uuid(),
  merchant_id bigint not null references merchant,
  subject_kind text not null,
  subject_no text not null,
  event text not null,
  url text not null,
  body text not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  delivered_at timestamptz,
  given_up_at timestamptz
);
create index callback_message_subject on callback_message (merchant_id, subject_no);
call protect_tenant_table('callback_message');
grant select, insert, update on callback_message to hengfu_app, hengfu_system;

create table callback_attempt (
  merchant_id bigint not null,
  message_id uuid not null references callback_message,
  attempt integer not null,
  at timestamptz not null default now(),
  http_status integer,
  error text,
  duration_ms integer not null,
  primary key (message_id, attempt)
);
call protect_tenant_table('callback_attempt');
grant select, insert on callback_attempt to hengfu_app, hengfu_system;
