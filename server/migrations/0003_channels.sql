-- Payment channels of the service, and what each merchant pays for using them.

create table channel (
  code text primary key,
  -- Which adapter speaks to it.
  adapter text not null,
  currency text not null,
  collection_open boolean not null default true,
  payout_open boolean not null default true
);
grant select on channel to hengfu_app;
grant select, insert, update on channel to hengfu_system;

-- Versioned: an order keeps the terms that held when it was created. Rates in parts per million (6000 = 0.6 %).
create table merchant_terms (
  merchant_id bigint not null references merchant,
  channel text not null references channel,
  valid_from timestamptz not null default now(),
  collection_rate_ppm integer not null check (collection_rate_ppm between 0 and 1000000),
  collection_fixed_minor bigint not null check (collection_fixed_minor >= 0),
  payout_rate_ppm integer not null check (payout_rate_ppm between 0 and 1000000),
  payout_fixed_minor bigint not null check (payout_fixed_minor >= 0),
  primary key (merchant_id, channel, valid_from)
);
call protect_tenant_table('merchant_terms');
grant select on merchant_terms to hengfu_app;
grant select, insert on merchant_terms to hengfu_system;

-- The terms of a merchant for a channel at an instant.
create function terms_at(of_merchant bigint, of_channel text, at timestamptz) returns merchant_terms
  language sql stable
  as $$
    select t from merchant_terms t
    where t.merchant_id = of_merchant and t.channel = of_channel and t.valid_from <= at
    order by t.valid_from desc limit 1
  $$;
