-- Called by processes of the version before; this one calls claim_call_nonces.
-- Claims nonces: nonces[i] of merchants[i]'s keys[i], if key and merchant are unchanged since the call was verified
-- (revisions[i], from http/access-key.sql.ts). No nonce of a key may occur twice. Returns, in order: `claimed`, `replayed`,
-- or `changed` if the key has to be read and the call verified again.
create or replace function claim_nonces(merchants bigint[], keys text[], revisions text[], nonces text[])
  returns setof text
  language plpgsql volatile set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  as $$
begin
  return query with asked as materialized (
    select a.*, holds.holds
    from unnest(merchants, keys, revisions, nonces) with ordinality as a (merchant, key, revision, nonce, place)
    left join lateral (
      select true as holds from access_key k join merchant m on m.id = k.merchant_id
      where k.merchant_id = a.merchant and k.key_id = a.key and k.revoked_at is null and k.disabled_at is null
        and (k.ends_at is null or k.ends_at > now())
        -- A process of a version that does not know scopes would ignore them: it gets no key that has less than all of them.
        and concat(k.xmin, '.', m.xmin, case when cardinality(k.scopes) < 5 or k.allowed_addresses is not null then '.limited' end)
          = a.revision
      limit 1) holds on true
  ), claimed as (
    insert into used_nonce (merchant_id, key_id, nonce)
    select merchant, key, nonce from asked where holds order by merchant, key, nonce
    on conflict do nothing returning merchant_id, key_id, nonce
  )
  select case when asked.holds is null then 'changed' when claimed.nonce is null then 'replayed' else 'claimed' end
    from asked left join claimed
      on claimed.merchant_id = merchant and claimed.key_id = key and claimed.nonce = asked.nonce
    order by place;
end $$;
revoke execute on function claim_nonces from public;
grant execute on function claim_nonces to hengfu_system;
