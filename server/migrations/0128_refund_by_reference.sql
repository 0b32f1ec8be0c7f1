-- alone: built while refunds are made. The refunds with a number of their channel.
create index concurrently refund_by_reference on refund (merchant_id, bank_reference) where bank_reference is not null;
