-- Lets hengfu_intake claim the nonces of calls (claim_call_nonces). Of a key and its merchant, it sees what
-- decides whether the key still stands as it was verified; never its secret.
-- locks: a policy changes no row; each table is needed for a moment, and the migration gives way if it has to wait.
-- Gives way before PostgreSQL looks for deadlocks, so that a writer is never the victim.
set local lock_timeout = '500ms';
call open_to_intake('used_nonce');
grant select (merchant_id, key_id, nonce), insert (merchant_id, key_id, nonce) on used_nonce to hengfu_intake;
call open_to_intake('access_key');
grant select (merchant_id, key_id, revoked_at, disabled_at, ends_at, scopes, allowed_addresses, xmin) on access_key to hengfu_intake;
grant select (xmin) on merchant to hengfu_intake;
