-- The orders of a batch in the order of the lists that show them: a batch of long ago is read at once, not searched for.
drop index collection_by_batch;
create index collection_by_batch on collection (merchant_id, settlement_id, created_at desc, id desc)
  where settlement_id is not null;

-- Settlement status together with the order's own, in the order of the list: only paid orders have one.
drop index collection_by_settlement_status;
create index collection_by_settlement_status on collection (merchant_id, settlement_status, status, created_at desc, id desc)
  where settlement_status is not null;
