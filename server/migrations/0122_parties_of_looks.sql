-- A look at a merchant finds payouts by payee and account, as the merchant's own list does.
-- locks: the table is locked while a policy is added, which reads no row.
create policy staff on payout_party for select to hengfu_staff using (merchant_id = current_merchant());
grant select on payout_party to hengfu_staff;
