-- alone: calls that were refused with a rare code are found among many others.
create index concurrently api_request_by_code on api_request (merchant_id, code, at, id) where status >= 400;
