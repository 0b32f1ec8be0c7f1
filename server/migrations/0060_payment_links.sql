-- Payment links: offers of a merchant that many payers pay. Every payment is an ordinary collection.
-- locks: columns without a default and constraints that are not checked yet change no row; the trigger calls its function only for
-- orders of links. Each needs its table for a moment, and the migration gives way if it has to wait.

create table payment_link (
  merchant_id bigint not null references merchant,
  id bigint generated always as identity,
  link_no text collate "C" not null,
  -- The merchant's lane, then 128 random bits.
  token text collate "C" not null,
  title text not null check (char_length(title) between 1 and 80),
  description text check (char_length(description) <= 1000),
  currency text not null,
  -- The price of one; null if the payer chooses an amount within the limits.
  amount_minor bigint check (amount_minor > 0),
  least_minor bigint check (least_minor > 0),
  most_minor bigint,
  max_quantity integer not null check (max_quantity between 1 and 99),
  -- The number of payments that it takes; null for any number.
  max_uses integer check (max_uses between 1 and 1000000),
  -- The fields that a payer fills in, as the contract describes them.
  asked jsonb not null,
  -- The merchant's words for those who have paid.
  note text check (char_length(note) <= 500),
  return_url text,
  is_on boolean not null default true,
  expires_at timestamptz(3),
  -- Its orders that hold a use: those to be paid, and those that were paid. The trigger count_link_use keeps them.
  live_orders integer not null default 0 check (live_orders >= 0),
  paid_orders integer not null default 0 check (paid_orders >= 0),
  paid_minor bigint not null default 0 check (paid_minor >= 0),
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (merchant_id, id),
  constraint payment_link_no unique (merchant_id, link_no),
  constraint payment_link_token unique (merchant_id, token),
  constraint payment_link_price check (
    case when amount_minor is null then least_minor is not null and most_minor >= least_minor and max_quantity = 1
    else least_minor is null and most_minor is null end),
  constraint payment_link_uses check (max_uses is null or live_orders + paid_orders <= max_uses)
);
create index payment_link_newest on payment_link (merchant_id, created_at desc, id desc);
call protect_tenant_table('payment_link');
call open_to_intake('payment_link');
grant select, insert, update on payment_link to hengfu_app, hengfu_system;
grant select, update on payment_link to hengfu_intake;

create table payment_link_image (
  merchant_id bigint not null,
  link_id bigint not null,
  type text not null check (type in ('image/png', 'image/jpeg')),
  bytes bytea not null check (octet_length(bytes) <= 2097152),
  sha256 bytea not null,
  primary key (merchant_id, link_id),
  foreign key (merchant_id, link_id) references payment_link (merchant_id, id)
);
call protect_tenant_table('payment_link_image');
grant select, insert, update, delete on payment_link_image to hengfu_app, hengfu_system;

-- The link of an order; null for all others.
alter table collection add column payment_link_id bigint;
-- Whether it holds one of the link's uses: it is to be paid, or was paid while there was one. Null for orders without a link.
alter table collection add column holds_link_use boolean;
alter table collection add constraint collection_link_use
  check ((payment_link_id is null) = (holds_link_use is null)) not valid;
alter table collection add constraint collection_payment_link
  foreign key (merchant_id, payment_link_id) references payment_link (merchant_id, id) not valid;
create trigger count_link_use before insert or update of status on collection
  for each row when (new.payment_link_id is not null) execute function count_link_use();

-- A payer's own data on an order of a link.
create table payment_link_order (
  merchant_id bigint not null,
  collection_id bigint not null,
  quantity integer not null,
  -- The payer's answers in the order of the form: [{"field": "name", "label": null, "value": "…"}].
  answers jsonb not null,
  primary key (merchant_id, collection_id),
  foreign key (merchant_id, collection_id) references collection (merchant_id, id)
);
call protect_tenant_table('payment_link_order');
grant select, insert on payment_link_order to hengfu_app, hengfu_system;
