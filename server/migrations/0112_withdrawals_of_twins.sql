-- locks: writes of withdrawals wait while the trigger is added, which reads no row.
create trigger no_real_money before insert on withdrawal for each row execute function refuse_real_money();
