-- Repeats the last statement of 0027, which saw no rows: row security hides them from the owner unless it is a superuser. Without these rows,
-- a person who had read a key's secret before could approve what a program with the key asks for. Later readers are recorded as they read.
-- locks: reads the audit trail, and inserts rows that nothing else writes.

do $$
begin
  execute format('grant hengfu_system to %I', current_user);
end $$;
do $$
declare
  recorded_since timestamptz := coalesce((select applied_at from schema_migration where name = '0027_team_approvals.sql'), now());
begin
  set local role hengfu_system;
  insert into access_key_reader (merchant_id, key_id, user_id, read_at)
  select a.merchant_id, a.subject, p.user_id, min(a.at)
  from audit a join membership p on p.merchant_id = a.merchant_id and 'user:' || p.user_id = a.actor
  where a.action in ('access_key.reveal', 'access_key.regenerate') and a.subject is not null and a.at < recorded_since
  group by a.merchant_id, a.subject, p.user_id
  on conflict do nothing;
end $$;
reset role;
do $$
begin
  execute format('revoke hengfu_system from %I', current_user);
end $$;
