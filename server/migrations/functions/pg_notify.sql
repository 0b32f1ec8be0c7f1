-- Does nothing. NOTIFY inside a transaction takes a lock that all commits of the database share, and holds it until the
-- commit is on disk. Functions that enqueue jobs put the schema `quiet` first in their search_path, so that the queue calls
-- this function instead; the caller notifies after its commit (db/change-feed.ts). If it does not, workers find the job when
-- they poll, once a second.
create or replace function quiet.pg_notify(text, text) returns void
  language sql immutable
  as $$ select $$;
