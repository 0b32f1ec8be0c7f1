-- Whether a person counts as having asked for what was asked for with an access key: one who has read its secret, and, of a key that an
-- operator has given to the merchant, also whoever could read it (`manages`). False for what a person asked for.
create or replace function may_know_key(of_merchant bigint, requester text, person bigint, manages boolean) returns boolean
  language sql stable
  as $$
  select requester like 'key:%' and (
    exists (
      select from access_key_reader r
      where r.merchant_id = of_merchant and 'key:' || r.key_id = requester and r.user_id = person)
    or manages and exists (
      select from access_key k
      where k.merchant_id = of_merchant and 'key:' || k.key_id = requester and k.created_by is null))
$$;
revoke execute on function may_know_key from public;
grant execute on function may_know_key to hengfu_app, hengfu_system;
