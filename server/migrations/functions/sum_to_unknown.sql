-- Adds up the parts of an order that go to accounts that its merchant does not know; null if there are none.
create or replace function sum_to_unknown(of_merchant bigint, of_kind text, accounts text[], amounts bigint[]) returns bigint
  language sql stable
  as $$
  select sum(amount)::bigint from unnest(accounts, amounts) as parts (account, amount)
  where not is_known_account(of_merchant, of_kind, account)
$$;
revoke execute on function sum_to_unknown from public;
grant execute on function sum_to_unknown to hengfu_app, hengfu_intake, hengfu_system;
