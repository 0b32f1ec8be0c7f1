-- locks: the table is locked while a policy and a trigger are added, which reads no row.
create policy twins on refund for select to hengfu_twins using (true);
grant select (merchant_id, refund_no, out_refund_no) on refund to hengfu_twins;
create trigger serve_mode before update of sent_at on refund for each row execute function serve_mode();
call give_function('is_of_other_mode', 'hengfu_twins');
grant execute on function is_of_other_mode to hengfu_system;
