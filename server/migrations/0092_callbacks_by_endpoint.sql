-- alone: built while callbacks are made. The callbacks of an endpoint, in the order of the list.
create index concurrently callback_message_by_endpoint on callback_message
  (merchant_id, endpoint_id, (created_at::timestamptz(3)) desc, (uuid_hash_extended(id, 0) & 36028797018963967) desc)
  where endpoint_id is not null;
