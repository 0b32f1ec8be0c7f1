-- alone: built while audit rows are written. Signed payouts are most rows, so that reading them needs no index of their own.
create index concurrently audit_by_action on audit (merchant_id, action, id desc) where action <> 'payout.create';
