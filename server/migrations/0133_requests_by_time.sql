-- IDs of requests begin with their time, so the primary key finds them (decision 0049).
-- locks: the request log, for a moment.
drop index api_request_by_id;
