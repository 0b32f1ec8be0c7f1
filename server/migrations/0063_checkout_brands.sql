-- How merchants appear to their payers: on checkout pages and receipts.

-- A merchant without a row appears with its own name and the product's color.
create table checkout_brand (
  merchant_id bigint primary key references merchant,
  -- Null: the merchant's own name.
  name text check (name <> ''),
  color text check (color ~ '^#[0-9a-f]{6}$'),
  -- The merchant's lane, then the SHA-256 of the logo in Base64: the last part of its address.
  logo_name text collate "C",
  -- A PNG.
  logo bytea check (octet_length(logo) <= 65536),
  updated_at timestamptz not null default now(),
  constraint checkout_brand_logo_has_name check ((logo is null) = (logo_name is null))
);
call protect_tenant_table('checkout_brand');
grant select, insert, update on checkout_brand to hengfu_app;
grant select on checkout_brand to hengfu_system;
