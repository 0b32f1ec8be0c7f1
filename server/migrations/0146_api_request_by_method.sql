-- alone: calls of a rarely used method are found among many others.
create index concurrently api_request_by_method on api_request (merchant_id, method, at, id);
