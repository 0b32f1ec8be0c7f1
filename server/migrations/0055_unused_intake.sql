-- The intake of one merchant's payouts, which 0037 and 0043 replaced, and the ledger's posting for it alone.
-- contract: no released version calls either: take_payouts of several merchants, which the last one calls, stays
drop function take_payouts(text, json, boolean[], integer, text, integer);
drop function ledger_post_each(text, text, text, text, text[], bigint[], timestamptz);
