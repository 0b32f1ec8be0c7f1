-- alone: calls that failed are found among many that were refused.
create index concurrently api_request_failed on api_request (merchant_id, at, id) where status >= 500;
