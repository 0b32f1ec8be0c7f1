-- Top-ups and withdrawals move cryptocurrency, which is real: a test merchant has none.
-- locks: writes of top-ups wait while the trigger is added, which reads no row.
create trigger no_real_money before insert on topup for each row execute function refuse_real_money();
