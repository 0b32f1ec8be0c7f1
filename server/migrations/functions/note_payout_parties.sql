-- needed by tables
-- Adds the payees and accounts of new payouts to payout_party. The conflict clause drops duplicates.
create or replace function note_payout_parties() returns trigger
  language plpgsql volatile
  as $$
begin
  insert into payout_party (merchant_id, search_key, field, value)
  select party.* from added cross join lateral (values
    (added.merchant_id, search_key(added.payee), 'payee', added.payee),
    (added.merchant_id, search_key(substring(added.account_key from '[^ ]*$')), 'account_key', added.account_key)) party
  order by 1, 2, 3, 4
  on conflict do nothing;
  return null;
end $$;
