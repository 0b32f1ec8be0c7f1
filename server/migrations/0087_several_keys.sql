-- Several access keys per merchant: each with a name, scopes, addresses and an expiry of its own, and a successor once it is replaced.
-- locks: columns without a volatile default change no row; constraints are checked in the next file. The keys that were replaced get their
-- successors: few rows, each of which is locked for a moment.

alter table access_key add column name text;
-- Keys of the versions before may make every call, and so may keys that such a version makes while it still runs.
alter table access_key add column scopes text[] not null default '{collections,refunds,payouts,balance,read}';
-- The blocks that the key may be used from, within those of the merchant; null if it has none of its own.
alter table access_key add column allowed_addresses cidr[];
-- The key that has replaced it. Until it ends, both are valid.
alter table access_key add column successor text;
-- When the first key was made that this one has succeeded, directly or not; null if it has succeeded none.
alter table access_key add column line_began_at timestamptz;
alter table access_key add constraint access_key_name check (char_length(name) between 1 and 60) not valid;
alter table access_key add constraint access_key_scopes
  check (cardinality(scopes) > 0 and scopes <@ '{collections,refunds,payouts,balance,read}'::text[]) not valid;
alter table access_key add constraint access_key_successor
  foreign key (merchant_id, successor) references access_key (merchant_id, key_id) not valid;

-- The last call that each key was admitted for. Not in the key's own row: a change of that row makes every process read the key again.
create table access_key_use (
  merchant_id bigint not null,
  key_id text not null,
  used_at timestamptz(3) not null,
  address inet not null,
  -- Method and path of the call, without the values in it.
  call text not null check (char_length(call) <= 200),
  primary key (merchant_id, key_id),
  foreign key (merchant_id, key_id) references access_key (merchant_id, key_id)
);
call protect_tenant_table('access_key_use');
grant select on access_key_use to hengfu_app;
grant select, insert, update on access_key_use to hengfu_system;

-- The notices of an expiry that were sent: each once, and again if the key is given another expiry.
create table access_key_warning (
  merchant_id bigint not null,
  key_id text not null,
  ends_at timestamptz not null,
  -- Days before it; 0 once the key has expired.
  days smallint not null check (days in (0, 3, 14)),
  warned_at timestamptz not null default now(),
  primary key (merchant_id, key_id, ends_at, days),
  foreign key (merchant_id, key_id) references access_key (merchant_id, key_id)
);
call protect_tenant_table('access_key_warning');
grant select, insert on access_key_warning to hengfu_system;

-- Row security hides the rows from the owner, who becomes a member of a role that sees them, and leaves it again.
do $$
begin
  execute format('grant hengfu_system to %I', current_user);
end $$;
set local role hengfu_system;
-- Until now a key ended only because another one had replaced it.
update access_key k set successor = (
    select n.key_id from access_key n
    where n.merchant_id = k.merchant_id and n.created_at > k.created_at
    order by n.created_at limit 1)
  where k.ends_at is not null;
reset role;
do $$
begin
  execute format('revoke hengfu_system from %I', current_user);
end $$;
