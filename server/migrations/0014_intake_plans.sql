-- The policy of hengfu_intake keeps its hands off the choice of an index. Statement and policy both name the merchant, and the
-- planner multiplied the two: it expected one row where a merchant had thousands, and looked up each order number by reading all
-- of the merchant's orders. With `is true` the policy is a filter on the rows that the statement's own conditions find.
-- locks: a policy changes no row; each table is needed for a moment, and the migration gives way if it has to wait.
-- Gives way before PostgreSQL looks for deadlocks, so that a writer is never the victim.
set local lock_timeout = '500ms';
create or replace procedure open_to_intake(target regclass)
  language plpgsql
  as $$
begin
  execute format('drop policy if exists intake on %s', target);
  execute format(
    'create policy intake on %s to hengfu_intake using ((merchant_id = any ((select current_merchants())::bigint[])) is true)',
    target);
end $$;

call open_to_intake('audit');
call open_to_intake('ledger_account');
call open_to_intake('order_rollup');
call open_to_intake('merchant_terms');
call open_to_intake('payout');
call open_to_intake('payout_event');
call open_to_intake('payout_party');
call open_to_intake('collection');
call open_to_intake('collection_event');
