-- alone: built while audit rows are written. Actions at all merchants; signed payouts are most rows, and found by their numbers.
create index concurrently audit_by_any_action on audit (action, id desc) where action <> 'payout.create';
