-- The channel's number of a refund, and refunds in the search of our staff.
-- locks: the column has no default and the policy reads no row; the table is locked for a moment, and the migration gives way.
alter table refund add column bank_reference text;

-- The numbers of refunds of all merchants. The search goes from merchant to merchant, through an index for each of them.
call open_to_overview('refund', 'merchant_id, collection_id, refund_no, out_refund_no, bank_reference');
create view staff_refund as
  select merchant_id, collection_id, refund_no, out_refund_no, bank_reference from refund;
call give_view('staff_refund');
