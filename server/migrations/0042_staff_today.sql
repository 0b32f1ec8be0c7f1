-- The things that wait for our staff, and the money of all merchants, for the first page of the back office.
-- locks: policies and grants change no row; each needs its table for a moment, and the migration gives way if it has to wait.

call open_to_overview('withdrawal', 'merchant_id, trade_no, status, usdt_minor, created_at');
call open_to_overview('payout', 'merchant_id, trade_no, status, currency, amount_minor, channel, created_at, sent_at');
call open_to_overview('ledger_account',
  'merchant_id, id, kind, reference, currency, balance_minor, inflow_minor, last_at');
call open_to_overview('ledger_entry', 'merchant_id, account_id, version, transfer_id, amount_minor, balance_after_minor, created_at,
  inflow_after_minor, statement_type');
call open_to_overview('archived_entry_sum', 'merchant_id, account_id, month, last_version, last_at, balance_after_minor,
  inflow_after_minor');
grant select (id, source, component, impact, title_en, title_zh_cn, title_vi, started_at, ended_at) on status_incident
  to hengfu_overview;
