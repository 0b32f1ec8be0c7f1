-- alone: built while callbacks are made. A merchant's callbacks, newest first, in the order of the list.
create index concurrently callback_message_newest on callback_message
  (merchant_id, (created_at::timestamptz(3)) desc, (uuid_hash_extended(id, 0) & 36028797018963967) desc);
