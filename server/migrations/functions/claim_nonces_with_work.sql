-- Claims nonces of the transaction's merchants, in the statement that does the work of their calls: claims is a list of
-- {place, merchant_id, key_id, revision, nonce}, as for claim_nonces. Returns the refused ones: `replayed`, or `changed` if the key has to
-- be read and the call verified again.
create or replace function claim_nonces_with_work(claims json) returns table (place integer, answer text)
  language plpgsql volatile set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  as $$
declare
  places integer[];
  merchants bigint[];
  keys text[];
  revisions text[];
  nonces text[];
begin
  select array_agg(c.place), array_agg(c.merchant_id), array_agg(c.key_id), array_agg(c.revision), array_agg(c.nonce)
    into places, merchants, keys, revisions, nonces
    from json_to_recordset(claims) as c (place integer, merchant_id bigint, key_id text, revision text, nonce text);
  if (merchants <@ current_merchants()) is not true then
    raise exception 'nonces of merchants that are not the transaction’s' using errcode = 'insufficient_privilege';
  end if;
  return query select places[n], given from claim_nonces(merchants, keys, revisions, nonces) with ordinality as a (given, n)
    where given <> 'claimed';
end $$;
revoke execute on function claim_nonces_with_work from public;
grant execute on function claim_nonces_with_work to hengfu_intake;
