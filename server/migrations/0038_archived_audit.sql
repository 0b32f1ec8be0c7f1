-- Lets the parts of the archive be checked one by one, and those of the audit trail be found by number and by value.
-- locks: columns without a default change no row.
alter table archived_part
  -- Of the compressed part; null in files that are older than this column.
  add column sha256 bytea,
  -- The lowest and the highest number of its audit rows, which are in the order of their instants, and a Bloom filter of the values by
  -- which they are filtered; null for other tables, and in files that are older than these columns.
  add column lowest_id bigint,
  add column highest_id bigint,
  add column terms bytea;
