-- Whether a merchant knows an account or wallet: money has arrived there that a second person approved, or that was sent more than
-- 30 days ago. `account` is the key of a payout's account, or a wallet's address in lower case where case means nothing.
create or replace function is_known_account(of_merchant bigint, of_kind text, account text) returns boolean
  language plpgsql stable
  as $$
begin
  if of_kind = 'withdrawal' then
    return exists (
      select from withdrawal w
      where w.merchant_id = of_merchant and w.status = 'paid'
        and case when w.network in ('ERC20', 'BEP20') then lower(w.address) else w.address end = account
        and (w.approval_state = 'approved' or w.created_at < now() - interval '30 days'));
  end if;
  return exists (
      select from payout p
      where p.merchant_id = of_merchant and p.account_key = account and p.status = 'processed' and p.approval_state = 'approved')
    or exists (
      select from payout p
      where p.merchant_id = of_merchant and p.account_key = account and p.status = 'processed'
        and p.created_at < now() - interval '30 days');
end $$;
revoke execute on function is_known_account from public;
grant execute on function is_known_account to hengfu_app, hengfu_intake, hengfu_system;
