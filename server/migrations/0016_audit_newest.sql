-- alone: built while audit rows are written. The audit log, newest first.
create index concurrently audit_newest on audit (merchant_id, id desc);
