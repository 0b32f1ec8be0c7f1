-- alone: calls from a rarely seen address are found among many others.
create index concurrently api_request_by_address on api_request (merchant_id, address, at, id);
