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
-- When its expiry was changed last; null if it is the one that the key was made with.
alter table access_key add column expiry_changed_at timestamptz;
alter table access_key add constraint access_key_name check (char_length(name) between 1 and 60) not valid;
alter table access_key add constraint access_key_scopes
  check (cardinality(scopes) > 0 and scopes <@ '{collections,refunds,payouts,balance,read}'::text[]) not valid;
alter table access_key add constraint access_key_successor
  foreign key (merchant_id, successor) references access_key (merchant_id, key_id) not valid;

-- Processes that know several keys say so for the transaction. Those of the version before run on while this one is installed.
create trigger key_lines before insert or update of ends_at on access_key
  for each row when (current_setting('app.key_lines', true) is distinct from 'known') execute function guard_key_lines();
create trigger key_lines_joined after insert on access_key
  for each row when (current_setting('app.key_lines', true) is distinct from 'known') execute function guard_key_lines();

-- Our staff read names and scopes as well.
grant select (name, scopes) on access_key to hengfu_staff;

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
-- A line began with the first key of those that lead to this one.
with recursive chain as (
  select merchant_id, successor as key_id, created_at as began_at from access_key where successor is not null
  union
  select c.merchant_id, k.successor, c.began_at from chain c join access_key k using (merchant_id, key_id) where k.successor is not null
), began as (
  select merchant_id, key_id, min(began_at) as at from chain group by merchant_id, key_id
)
update access_key k set line_began_at = began.at from began where k.merchant_id = began.merchant_id and k.key_id = began.key_id;
reset role;
do $$
begin
  execute format('revoke hengfu_system from %I', current_user);
end $$;
