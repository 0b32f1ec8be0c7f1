-- Whether rules could cover an order of a kind: those of its kind, for a batch those for payouts, and for what goes to an account those
-- for payees. If so, locks the merchant's comparisons until the transaction ends.
create or replace function has_approval_rules(of_merchant bigint, of_kind text) returns boolean
  language plpgsql volatile
  as $$
begin
  if not exists (
    select from approval_rule r where r.merchant_id = of_merchant and r.ended_at is null
      and (r.kind = of_kind or of_kind = 'batch' and r.kind = 'payout' or of_kind <> 'refund' and r.kind = 'payee')) then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('approval ' || of_merchant, 0));
  return true;
end $$;
revoke execute on function has_approval_rules from public;
grant execute on function has_approval_rules to hengfu_app, hengfu_intake, hengfu_system;
