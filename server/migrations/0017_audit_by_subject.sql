-- alone: built while audit rows are written. All that happened to one object.
create index concurrently audit_by_subject on audit (merchant_id, subject, id desc) where subject is not null;
