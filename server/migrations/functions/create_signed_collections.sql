-- Claims the nonces of calls (see claim_call_nonces; place counts from 1), and creates the orders of those whose nonces are claimed,
-- like create_collections. Returns the created orders, and place and answer of each call whose nonce was refused. Nonces come before all
-- other locks.
create or replace function create_signed_collections(orders json, claims json)
  returns table (place integer, answer text, created collection)
  language plpgsql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  as $$
declare
  refused integer[];
  answers text[];
begin
  select array_agg(r.place), array_agg(r.answer) into refused, answers from claim_call_nonces(claims) r;
  if refused is not null then
    return query select * , null::collection from unnest(refused, answers);
    orders := (
      select coalesce(json_agg(o), '[]') from json_array_elements(orders) with ordinality as given (o, n) where n <> all (refused));
  end if;
  return query select null::integer, null::text, c from create_collections(orders) c;
end $$;
call give_function('create_signed_collections', 'hengfu_intake');
revoke execute on function create_signed_collections from public;
grant execute on function create_signed_collections to hengfu_app;
