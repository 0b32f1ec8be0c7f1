-- Keys of the Open API, their nonces, and where signed calls come from.

-- The merchant of each key. A key is claimed here first, so that its ID is unique across merchants.
create table access_key_directory (
  key_id text primary key,
  merchant_id bigint not null references merchant,
  unique (merchant_id, key_id)
);
call protect_tenant_table('access_key_directory');
grant select, insert on access_key_directory to hengfu_system;

create table access_key (
  key_id text not null,
  merchant_id bigint not null references merchant,
  -- AES-256-GCM under the application's key.
  secret_encrypted bytea not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  note text,
  -- Default callback URL, for orders that do not specify one.
  callback_url text,
  disabled_at timestamptz,
  ends_at timestamptz,
  primary key (merchant_id, key_id),
  foreign key (merchant_id, key_id) references access_key_directory (merchant_id, key_id)
);
call protect_tenant_table('access_key');
grant select on access_key to hengfu_app;
grant select, insert, update on access_key to hengfu_system;

-- Nonces of signed calls, each valid once. Rows older than the timestamp window are swept.
create table used_nonce (
  merchant_id bigint not null,
  key_id text not null,
  nonce text not null,
  used_at timestamptz not null default now(),
  primary key (merchant_id, key_id, nonce)
);
create index used_nonce_age on used_nonce (used_at);
call protect_tenant_table('used_nonce');
grant select, insert, delete on used_nonce to hengfu_system;

-- Signed calls by UTC day and address, which show what a new whitelist would have rejected.
create table signed_call_count (
  merchant_id bigint not null references merchant,
  day date not null,
  address inet not null,
  calls bigint not null,
  primary key (merchant_id, day, address)
);
call protect_tenant_table('signed_call_count');
grant select on signed_call_count to hengfu_app;
grant select, insert, update, delete on signed_call_count to hengfu_system;
