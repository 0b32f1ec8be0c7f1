-- locks: a new table, whose foreign key locks the table of access keys for a moment against changes of its definition.

-- The last check of the callback URL of each access key, with its steps so far. Beside `callback_check`, which belongs to an endpoint.
create table callback_address_check (
  merchant_id bigint not null,
  key_id text not null,
  -- The address that was checked: the key may have another one by now.
  url text not null,
  -- Distinguishes this check from earlier ones of the key.
  run_id uuid not null default gen_random_uuid(),
  steps jsonb not null default '[]',
  -- Null while it runs.
  verdict text,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (merchant_id, key_id),
  foreign key (merchant_id, key_id) references access_key (merchant_id, key_id),
  constraint callback_address_check_end check ((verdict is null) = (ended_at is null))
);
call protect_tenant_table('callback_address_check');
grant select on callback_address_check to hengfu_app;
grant select, insert, update on callback_address_check to hengfu_system;
