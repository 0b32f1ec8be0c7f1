-- The account of a payout or withdrawal as its sums name it: without the bank, because one card can be paid through several. `account` is
-- `<channel> <bank> <number>`, or a wallet.
create or replace function account_party(account text) returns text
  language sql immutable
  as $$
  select regexp_replace(account, '^(\S+) \S* (.+)$', '\1 \2')
$$;
revoke execute on function account_party from public;
grant execute on function account_party to hengfu_app, hengfu_intake, hengfu_system;
