-- Distributes the schema over the machines of a Citus cluster, by merchant. Run it as the owner on the coordinator, once, after
-- the first start has created the schema and before there is data. See docs/scale.md, "Citus", for what has not been tried.

-- Passes the merchant of a transaction (SET LOCAL app.merchant_id) and its role on to the machines: without this, row-level
-- security shows no rows there. Transactions of one statement do not use this command: see docs/scale.md.
alter system set citus.propagate_set_commands = 'local';
-- Our triggers touch rows of the same merchant only.
alter system set citus.enable_unsafe_triggers = on;
select pg_reload_conf();
set citus.propagate_set_commands = 'local';
set citus.enable_unsafe_triggers = on;

-- Test mode copies people, roles, rules and terms from one merchant to another by triggers, which Citus does not allow here. Without them
-- nothing follows, so nobody may open a test merchant.
revoke execute on function open_twin from hengfu_system;
drop trigger twin_follows on merchant;
drop trigger twin_follows on membership;
drop trigger like_live on membership;
drop trigger twin_follows on own_role;
drop trigger twin_follows on approval_rule;
drop trigger twin_follows on merchant_terms;
drop trigger twin_follows on past_settlement_cycle;

-- Copies on every machine: small tables that a merchant's rows reference.
select create_reference_table('merchant');
select create_reference_table('membership');
select create_reference_table('access_key_directory');
select create_reference_table('channel');
select create_reference_table('archived_month');

-- A merchant's rows are on one machine, in all of these tables.
select create_distributed_table('audit', 'merchant_id', colocate_with => 'none');
select create_distributed_table('access_event', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('archived_part', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('audit_seal', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('access_key', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('access_key_use', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('access_key_warning', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('used_nonce', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('signed_call_count', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('api_request', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('api_request_block', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('api_request_count', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('ledger_account', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('ledger_transfer', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('ledger_entry', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('archived_entry_sum', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('archived_split_transfer', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('callback_message', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('callback_attempt', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('callback_endpoint', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('callback_held', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('callback_check', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('callback_address_check', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('order_rollup', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('order_rollup_day', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('order_outcome_day', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('order_rollup_period', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('order_rollup_closing', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('merchant_terms', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('past_settlement_cycle', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('settlement', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('checkout_brand', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('payment_link', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('payment_link_image', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('collection', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('refund', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('payment_link_order', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('collection_event', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('receipt_link', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('payout_batch', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('payout', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('payout_event', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('payout_party', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('payout_contradiction', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('payout_slip_revocation', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('payout_batch_row', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('idempotent_reply', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('repeated_call', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('topup', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('topup_image', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('case_claim', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('merchant_note', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('withdrawal_terms', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('withdrawal', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('export_task', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('export_schedule', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('invitation', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('own_role', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('access_key_reader', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('approval_rule', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('approval_sum', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('approval_request', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('approval_decision', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('approval_exclusion', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('saved_view', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('batch_heading', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('notice', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('notice_mark', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('notice_read', 'merchant_id', colocate_with => 'audit');
select create_distributed_table('first_steps_dismissal', 'merchant_id', colocate_with => 'audit');

-- Everything else stays on the coordinator: people and their sessions, the directory of transactions, the job queue, limits on
-- signing in, the status page.
