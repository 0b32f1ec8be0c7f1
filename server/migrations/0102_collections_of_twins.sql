-- A call that names an order of the other mode is refused with a reason.
-- locks: the table is locked while a policy and a trigger are added, which reads no row. Each order table has a migration of its own, so that none is locked
-- while another one is waited for.
create policy twins on collection for select to hengfu_twins using (true);
grant select (merchant_id, trade_no, out_trade_no) on collection to hengfu_twins;
create trigger serve_mode before update of channel on collection for each row execute function serve_mode();
