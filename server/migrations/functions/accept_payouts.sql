-- Decides about applications like decide_payouts, and returns whole payouts: for processes of version 0.2.0, which an upgrade leaves running
-- for a while.
create or replace function accept_payouts(
  applications json, similar_hours integer, task text, max_attempts integer
) returns setof payout_decision
  language plpgsql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  as $$
declare
  verdicts payout_verdict[] := array(select v from decide_payouts(applications, similar_hours, task, max_attempts) v);
begin
  return query select v.line, v.outcome, (
      select p from payout p where p.merchant_id = any (current_merchants()) and p.trade_no = v.trade_no)
    from unnest(verdicts) v order by v.line;
end $$;
call give_function('accept_payouts', 'hengfu_intake');
revoke execute on function accept_payouts from public;
grant execute on function accept_payouts to hengfu_app, hengfu_system;
