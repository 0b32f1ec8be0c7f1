-- alone: built while audit rows are written. What one of our staff or an operator did, at all merchants.
create index concurrently audit_by_staff on audit (actor, id desc) where actor like 'staff:%' or actor like 'operator:%';
