-- locks: the table is locked while a policy is added, which reads no row.
create policy twins on payout for select to hengfu_twins using (true);
grant select (merchant_id, trade_no, out_trade_no) on payout to hengfu_twins;
