-- alone: built while callbacks are made. The callbacks that were not delivered, which are few, in the order of the list.
create index concurrently callback_message_undelivered on callback_message
  (merchant_id, (created_at::timestamptz(3)) desc, (uuid_hash_extended(id, 0) & 36028797018963967) desc)
  where delivered_at is null;
