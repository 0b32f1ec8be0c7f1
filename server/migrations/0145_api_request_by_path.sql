-- alone: calls of a rarely used path are found among many others.
create index concurrently api_request_by_path on api_request (merchant_id, (path collate "C"));
