-- Claims the nonces of calls (see claim_call_nonces; place counts from 1), and decides about the applications of those whose
-- nonces are claimed, like decide_payouts. The others have the outcome `replayed` or `changed`. Nonces come before all other locks.
create or replace function decide_signed_payouts(
  applications json, claims json, similar_hours integer, task text, max_attempts integer
) returns setof payout_verdict
  language plpgsql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  as $$
declare
  refused integer[];
  answers text[];
  kept integer[];
begin
  select array_agg(place), array_agg(answer) into refused, answers from claim_call_nonces(claims);
  if refused is null then
    return query select * from decide_payouts(applications, similar_hours, task, max_attempts);
    return;
  end if;
  kept := array(select place from generate_series(1, json_array_length(applications)) place where place <> all (refused) order by 1);
  return query
    select kept[v.line], v.outcome, v.trade_no, v.id, v.status, v.fee_minor, v.approval_state, v.created_at
    from decide_payouts(
      (select coalesce(json_agg(applications -> (place - 1) order by place), '[]') from unnest(kept) place),
      similar_hours, task, max_attempts) v
    union all select place, answer, null, null, null, null, null, null from unnest(refused, answers) as r (place, answer);
end $$;
call give_function('decide_signed_payouts', 'hengfu_intake');
revoke execute on function decide_signed_payouts from public;
grant execute on function decide_signed_payouts to hengfu_app;
