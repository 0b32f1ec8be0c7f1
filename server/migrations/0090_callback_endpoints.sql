-- Endpoints: addresses of a merchant's systems that receive the callbacks of all its orders, beside the callback URL of each order.
-- locks: new tables, columns without a default or with a constant one, which change no row, and a foreign key of an empty table. Each
-- table is needed for a moment, and the migration gives way if it has to wait.

create table callback_endpoint (
  merchant_id bigint not null references merchant,
  id bigint generated always as identity,
  url text not null,
  -- Scheme, host and port of the URL, and its host, which deliveries are scheduled by.
  origin text not null,
  host text not null,
  description text check (char_length(description) between 1 and 80),
  -- The events that it receives; null for all.
  events text[] check (cardinality(events) > 0),
  -- Encrypted. Null once the endpoint was removed.
  secret_encrypted bytea,
  -- Signs beside the secret until it ends.
  previous_secret_encrypted bytea,
  previous_ends_at timestamptz,
  -- on: messages are sent. paused, autoPaused (by us, because it failed for days): messages wait. off: none are made, and earlier ones wait.
  state text not null default 'on' check (state in ('on', 'paused', 'autoPaused', 'off', 'removed')),
  -- The first failure since the last success.
  failing_since timestamptz,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  primary key (merchant_id, id),
  constraint callback_endpoint_secret check ((state = 'removed') = (secret_encrypted is null)),
  constraint callback_endpoint_previous check ((previous_secret_encrypted is null) = (previous_ends_at is null))
);
call protect_tenant_table('callback_endpoint');
grant select on callback_endpoint to hengfu_app;
grant select, insert, update on callback_endpoint to hengfu_system;

-- The endpoint that a message is for; null for the callback URL of its order. No foreign key: endpoints are never deleted.
alter table callback_message add column endpoint_id bigint;
-- Given up by a person, unsent.
alter table callback_message add column is_skipped boolean not null default false;
-- When somebody last had it sent again.
alter table callback_message add column resent_at timestamptz;
-- From when its age counts, if not from its creation: it was sent again, or its endpoint was turned on again.
alter table callback_message add column retried_from timestamptz;
-- Our staff has callbacks sent again.
grant update (is_skipped, resent_at, retried_from) on callback_message to hengfu_staff;

-- The first 4 KB of the reply.
alter table callback_attempt add column reply text;
alter table callback_attempt add column is_resend boolean not null default false;

-- Messages that wait until their endpoint is on again. No job waits for them.
create table callback_held (
  merchant_id bigint not null,
  message_id uuid not null,
  endpoint_id bigint not null,
  held_at timestamptz not null default now(),
  primary key (merchant_id, message_id),
  foreign key (merchant_id, message_id) references callback_message
);
create index callback_held_oldest on callback_held (merchant_id, endpoint_id, held_at);
call protect_tenant_table('callback_held');
grant select, insert on callback_held to hengfu_app;
-- Updates are needed for the locks of those that are released.
grant select, insert, update, delete on callback_held to hengfu_system;

-- The last check of each endpoint, with its steps so far.
create table callback_check (
  merchant_id bigint not null,
  endpoint_id bigint not null,
  -- Distinguishes this check from earlier ones of the endpoint.
  run_id uuid not null default gen_random_uuid(),
  -- As the contract describes them: [{"step": "name", "result": "good", …}].
  steps jsonb not null default '[]',
  -- Null while it runs.
  verdict text,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (merchant_id, endpoint_id),
  foreign key (merchant_id, endpoint_id) references callback_endpoint (merchant_id, id),
  constraint callback_check_end check ((verdict is null) = (ended_at is null))
);
call protect_tenant_table('callback_check');
grant select on callback_check to hengfu_app;
grant select, insert, update on callback_check to hengfu_system;
