-- Signed calls that name an Idempotency-Key, by a hash of the key. A row is the claim of the call that does the work, and then keeps
-- its reply. A call that was refused changed nothing, and its row is deleted.

create table repeated_call (
  merchant_id bigint not null references merchant,
  key_hash bytea not null check (octet_length(key_hash) = 32),
  request_hash bytea not null check (octet_length(request_hash) = 32),
  -- Changes with each claim, so that a call whose claim was taken over can no longer answer it.
  claimed_at timestamptz not null default now(),
  -- Null while the call is in progress.
  reply jsonb,
  primary key (merchant_id, key_hash)
);
create index repeated_call_age on repeated_call (claimed_at);
call protect_tenant_table('repeated_call');
grant select, insert, update, delete on repeated_call to hengfu_app;
grant select, delete on repeated_call to hengfu_system;
