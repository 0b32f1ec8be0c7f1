-- Claims the nonces of signed calls of the transaction's merchants. claims is a list of {place, merchant_id, key_id, revision, nonce}; revision
-- is that of http/access-key.sql.ts. Returns the places of the claims that are refused: `replayed`, or `changed` if the key or its merchant is
-- not as it was when the call was verified, or is not one of the transaction's, so that the key has to be read and the call verified again.
-- No nonce of a key may occur twice. Always runs as the same role, because PostgreSQL plans a statement anew when the role changes.
create or replace function claim_call_nonces(claims json) returns table (place integer, answer text)
  language plpgsql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  as $$
#variable_conflict use_column
begin
  return query with asked as materialized (
    select a.*, holds.holds
    from json_to_recordset(claims) as a (place integer, merchant_id bigint, key_id text, revision text, nonce text)
    left join lateral (
      select true as holds from access_key k join merchant m on m.id = k.merchant_id
      where k.merchant_id = a.merchant_id and k.key_id = a.key_id and k.revoked_at is null and k.disabled_at is null
        and (k.ends_at is null or k.ends_at > now())
        -- A process of a version that does not know scopes would ignore them: it gets no key that has less than all of them.
        and concat(k.xmin, '.', m.xmin, case when cardinality(k.scopes) < 5 or k.allowed_addresses is not null then '.limited' end)
          = a.revision
      limit 1) holds on true
  ), claimed as (
    insert into used_nonce (merchant_id, key_id, nonce)
    select merchant_id, key_id, nonce from asked where holds order by merchant_id, key_id, nonce
    on conflict do nothing returning merchant_id, key_id, nonce
  )
  select asked.place, case when asked.holds then 'replayed' else 'changed' end
    from asked
    where asked.holds is not true or not exists (
      select from claimed c where c.merchant_id = asked.merchant_id and c.key_id = asked.key_id and c.nonce = asked.nonce);
end $$;
call give_function('claim_call_nonces', 'hengfu_intake');
revoke execute on function claim_call_nonces from public;
grant execute on function claim_call_nonces to hengfu_app;
