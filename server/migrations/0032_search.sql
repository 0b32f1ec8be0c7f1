-- Finding anything by what people remember of it: names and accounts of payees by their beginning, references of banks,
-- wallets. Every look-up is one probe of an index or a short range of one.

-- Text as it is compared: without diacritics, case, and what people put in to read it. "Nguyễn Văn A" and "nguyenvana"
-- are the same; so are "6222 0212" and "62220212".
create function search_key(text) returns text
  language sql immutable strict parallel safe
  as $$
    select lower(regexp_replace(translate(normalize($1, NFKD), 'đĐøØłŁı', 'dDoOlLi'), '[\u0300-\u036f\s.+()/''’·-]', '', 'g'))
  $$;

-- The payees of payouts and their accounts, each once a merchant, so that a beginning is looked up among few rows
-- rather than among all payouts, and payouts need no further index.
create table payout_party (
  merchant_id bigint not null references merchant,
  search_key text collate "C" not null,
  -- The column of `payout` that holds the value.
  field text not null check (field in ('payee', 'account_key')),
  value text not null,
  primary key (merchant_id, search_key, field, value)
);

-- Whichever door payouts come through; in one order, so that no two wait for each other.
create function note_payout_parties() returns trigger
  language plpgsql
  as $$
begin
  insert into payout_party (merchant_id, search_key, field, value)
  select distinct merchant_id, search_key(named), field, value from (
    select merchant_id, payee as named, 'payee' as field, payee as value from added
    union all
    select merchant_id, substring(account_key from '[^ ]*$'), 'account_key', account_key from added) parties
  order by 1, 2, 3, 4
  on conflict do nothing;
  return null;
end $$;
create trigger note_parties after insert on payout referencing new table as added
  for each statement execute function note_payout_parties();

-- Whoever migrates owns the tables, and sees the rows of all merchants for as long as this takes.
alter table payout no force row level security;
insert into payout_party (merchant_id, search_key, field, value)
select merchant_id, search_key(payee), 'payee', payee from (select distinct merchant_id, payee from payout) payees
union all
select merchant_id, search_key(substring(account_key from '[^ ]*$')), 'account_key', account_key
from (select distinct merchant_id, account_key from payout) accounts;
alter table payout force row level security;
call protect_tenant_table('payout_party');
grant select, insert on payout_party to hengfu_app, hengfu_system;

create index collection_by_reference on collection (merchant_id, bank_reference, id) where bank_reference is not null;
create index payout_by_reference on payout (merchant_id, bank_reference, id) where bank_reference is not null;
create index topup_by_address on topup (merchant_id, address, created_at desc, id desc);
