-- alone: built while audit rows are written. The rows of all merchants since a number, for sealing.
create index concurrently audit_by_number on audit using brin (id) with (autosummarize = on);
