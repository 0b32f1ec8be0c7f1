-- alone: built while refunds are made. The refunds that were made in a range of times, in the order of the list.
create index concurrently refund_by_end on refund (merchant_id, ended_at desc, id desc) where ended_at is not null;
