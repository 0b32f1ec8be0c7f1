-- Refused calls of a key in an hour whose signature was not verified: whoever knows no more than the ID of a key can make them, so they
-- have a limit of their own. `refused` counts the others.
-- locks: adds a column with a constant default to a small table.
alter table api_request_count add column unverified bigint not null default 0;
