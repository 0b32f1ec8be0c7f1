-- Lists by the time of payment: whatever states are asked for, each of their combinations is a range of this index.
drop index collection_by_paid_at;
create index collection_by_paid_at on collection (merchant_id, status, settlement_status, paid_at desc, id desc)
  where paid_at is not null;
