-- Links to the receipts of paid collections, for the people who paid.

-- Made when a payer, or the merchant, first asks for the receipt. The token is not that of the checkout page: a receipt is passed on.
-- locks: `collection` for the moment in which the foreign key of an empty table is made.
create table receipt_link (
  merchant_id bigint not null,
  collection_id bigint not null,
  -- The merchant's lane, then 192 random bits.
  token text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, collection_id),
  constraint receipt_link_token unique (merchant_id, token),
  foreign key (merchant_id, collection_id) references collection (merchant_id, id)
);
call protect_tenant_table('receipt_link');
grant select, insert on receipt_link to hengfu_app;
grant select on receipt_link to hengfu_system;
