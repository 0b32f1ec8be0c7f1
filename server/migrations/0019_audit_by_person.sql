-- alone: built while audit rows are written. What one person did. A program's rows are found by their objects.
create index concurrently audit_by_person on audit (merchant_id, actor, id desc) where actor like 'user:%';
