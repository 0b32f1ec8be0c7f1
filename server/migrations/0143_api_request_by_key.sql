-- alone: calls of a key that is used seldom are found among many others.
create index concurrently api_request_by_key on api_request (merchant_id, key_id, at, id);
