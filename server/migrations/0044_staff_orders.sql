-- Payouts and collections of all merchants, for the back office.
-- locks: policies and grants change no row; each needs its table for a moment, and the migration gives way if it has to wait.

-- Columns that our staff search and list across merchants. Every reader goes from merchant to merchant, through the indexes that merchants'
-- own lists use: one of all merchants would cost every order that is made.
grant select (id, out_trade_no, fee_minor, payee, account_key, batch_no, bank_reference, paid_at) on payout to hengfu_overview;
call open_to_overview('collection', 'merchant_id, id, trade_no, out_trade_no, status, currency, amount_minor, fee_minor, channel,
  bank_reference, created_at, paid_at');
call open_to_overview('payout_party', 'merchant_id, search_key, field, value');

create view staff_payout as
  select merchant_id, id, trade_no, out_trade_no, status, currency, amount_minor, fee_minor, channel, payee, account_key, batch_no,
    bank_reference, created_at, paid_at
  from payout;
call give_view('staff_payout');

create view staff_collection as
  select merchant_id, id, trade_no, out_trade_no, status, currency, amount_minor, fee_minor, channel, bank_reference, created_at,
    paid_at
  from collection;
call give_view('staff_collection');

create view staff_payout_party as
  select merchant_id, search_key, field, value from payout_party;
call give_view('staff_payout_party');

-- One order, with everything that belongs to it.
create policy staff on payout for select to hengfu_staff using (merchant_id = current_merchant());
grant select on payout to hengfu_staff;
create policy staff on payout_event for select to hengfu_staff using (merchant_id = current_merchant());
grant select on payout_event to hengfu_staff;
create policy staff on collection for select to hengfu_staff using (merchant_id = current_merchant());
grant select on collection to hengfu_staff;
create policy staff on collection_event for select to hengfu_staff using (merchant_id = current_merchant());
grant select on collection_event to hengfu_staff;
create policy staff on settlement for select to hengfu_staff using (merchant_id = current_merchant());
grant select (merchant_id, id, settlement_no) on settlement to hengfu_staff;
create policy staff on ledger_account for select to hengfu_staff using (merchant_id = current_merchant());
grant select (merchant_id, id, kind, reference, currency) on ledger_account to hengfu_staff;
create policy staff on ledger_transfer for select to hengfu_staff using (merchant_id = current_merchant());
grant select on ledger_transfer to hengfu_staff;
create policy staff on ledger_entry for select to hengfu_staff using (merchant_id = current_merchant());
grant select (merchant_id, account_id, transfer_id, amount_minor, created_at) on ledger_entry to hengfu_staff;
create policy staff on callback_attempt for select to hengfu_staff using (merchant_id = current_merchant());
grant select on callback_attempt to hengfu_staff;
-- Timelines and attempts of earlier months.
create policy staff on archived_part for select to hengfu_staff using (merchant_id = current_merchant());
grant select (merchant_id, table_name, month, number, offset_bytes, length_bytes, first_key, last_key, sha256) on archived_part
  to hengfu_staff;
grant select (table_name, month, file_key) on archived_month to hengfu_staff;

-- A callback is sent again by a worker: all that changes here is that it counts as unsent.
create policy staff on callback_message to hengfu_staff using (merchant_id = current_merchant());
grant select, update (delivered_at, given_up_at) on callback_message to hengfu_staff;

-- The outcome of a payout that two members of our staff have agreed on. A worker reads it and moves the payout, so that the back
-- office needs no right to move money: it can only enqueue the job, which finds nothing unless two people have agreed.
grant select (change) on staff_request to hengfu_overview;
create index staff_request_outcome on staff_request (subject, id desc) where kind = 'payoutOutcome' and state = 'approved';
create view staff_payout_outcome as
  select id, about_merchant as merchant_id, subject as trade_no, change from staff_request where kind = 'payoutOutcome' and state = 'approved';
call give_view('staff_payout_outcome');
