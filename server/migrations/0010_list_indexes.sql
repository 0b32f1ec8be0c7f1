-- A list by the time of payment turns its pages by paid_at, then id.
drop index collection_by_paid_at;
create index collection_by_paid_at on collection (merchant_id, paid_at desc, id desc) where paid_at is not null;
