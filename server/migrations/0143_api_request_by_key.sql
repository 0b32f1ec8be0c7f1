-- alone: calls of a rarely used key are found among many others.
create index concurrently api_request_by_key on api_request (merchant_id, key_id, at, id);
