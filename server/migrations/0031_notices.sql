-- What people of a merchant should know of: codes and figures, never sentences. Written with the event that it tells of.
create table notice (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  kind text not null,
  -- For one person; null: for everybody of the merchant who may read what it is about.
  user_id bigint references app_user,
  -- Number of the order, batch or export.
  subject text,
  facts jsonb not null,
  -- Of the writing, not of the transaction's beginning: see how marks are set.
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, id)
);
create index notice_by_age on notice (created_at);
create index notice_of_merchant on notice (merchant_id, created_at);
call protect_tenant_table('notice');
grant select, insert on notice to hengfu_app;
grant select, insert, delete on notice to hengfu_system;

-- Everything up to a number has been read by a person, and single notices above it.
create table notice_mark (
  merchant_id bigint not null references merchant,
  user_id bigint not null references app_user,
  up_to_id bigint not null,
  primary key (merchant_id, user_id)
);
call protect_tenant_table('notice_mark');
grant select, insert, update on notice_mark to hengfu_app, hengfu_system;

create table notice_read (
  merchant_id bigint not null references merchant,
  user_id bigint not null references app_user,
  notice_id bigint not null,
  read_at timestamptz not null default now(),
  primary key (merchant_id, user_id, notice_id)
);
create index notice_read_by_age on notice_read (read_at);
call protect_tenant_table('notice_read');
grant select, insert, delete on notice_read to hengfu_app, hengfu_system;

-- From where a person has signed in, and with what: a browser without its versions, as a hash; an address, of version 6
-- the network of 64 bits.
create table sign_in_origin (
  merchant_id bigint not null references merchant,
  user_id bigint not null references app_user,
  kind text not null check (kind in ('address', 'browser')),
  value text not null,
  last_at timestamptz not null default now(),
  primary key (merchant_id, user_id, kind, value)
);
call protect_tenant_table('sign_in_origin');
grant select, insert, update, delete on sign_in_origin to hengfu_system;

create function sign_in_address(address inet) returns text
  language sql immutable
  as $$ select host(network(set_masklen(address, case family(address) when 4 then 32 else 64 end))) $$;
create function sign_in_browser(user_agent text) returns text
  language sql immutable
  as $$ select encode(sha256(convert_to(regexp_replace(coalesce(user_agent, ''), '[0-9._]+', '', 'g'), 'UTF8')), 'hex') $$;

-- Who has signed in before is known.
insert into sign_in_origin (merchant_id, user_id, kind, value, last_at)
  select u.merchant_id, u.id, 'address', sign_in_address(a.address), max(a.at)
  from app_user u join audit a on a.merchant_id = u.merchant_id and a.actor = 'user:' || u.id
  where a.action = 'session.sign_in' and a.address is not null
  group by 1, 2, 4
  union all
  select merchant_id, user_id, 'browser', sign_in_browser(user_agent), max(created_at) from session group by 1, 2, 4;

-- When the people of the merchant were told how a batch ended; before that, its rejected payouts are told of by it.
alter table payout_batch add column told_at timestamptz(3);
update payout_batch set told_at = finished_at;
