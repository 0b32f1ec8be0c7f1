-- A decision about the application number `line`: the number, ID, status, fee, approval and creation of the payout that was made; or, if an
-- earlier one is repeated or resembled, the number, status and creation of that one. The rest is null.
create type payout_verdict as (
  line integer, outcome text, trade_no text, id bigint, status text, fee_minor bigint, approval_state text, created_at timestamptz
);
-- contract: version 0.2.0 has no such function; only states between it and this one have.
drop function if exists accept_signed_payouts(json, json, integer, text, integer);
