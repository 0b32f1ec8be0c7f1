-- The settlement cycles that merchants had before, so that what was settled can be read by the cycle that planned it. The cycle in force is in
-- `merchant`.
-- locks: a new table; requests are only read.

create table past_settlement_cycle (
  merchant_id bigint not null references merchant (id),
  -- The last cut-off that the cycle planned. The next cycle plans those after it.
  valid_until timestamptz not null,
  cycle text not null check (cycle in ('daily', 'workdays', 'weekly')),
  -- From Monday (1) to Sunday (7), of a weekly cycle.
  weekday smallint check (weekday between 1 and 7),
  cut_off time not null,
  primary key (merchant_id, valid_until),
  constraint past_settlement_cycle_weekday check ((cycle = 'weekly') = (weekday is not null))
);

grant select, insert on past_settlement_cycle to hengfu_staff, hengfu_twins;

-- Row security hides merchants from the owner, who becomes a member of a role that sees them, and leaves it again.
do $$
begin
  execute format('grant hengfu_staff to %I', current_user);
end $$;
set local role hengfu_staff;
-- Every change so far was a request that a second person approved. A new database has none, nor yet the function that plans cut-offs.
do $$
begin
  if exists (select from staff_request where kind = 'settlementCycle' and state = 'approved') then
    with changed as (
      select id, about_merchant, ended_at, change -> 'seen' as seen
      from staff_request where kind = 'settlementCycle' and state = 'approved' and change -> 'seen' <> change -> 'settlement'
    ), past as (
      select c.id, c.about_merchant, m.zone, c.ended_at, c.seen ->> 'cycle' as cycle, (c.seen ->> 'cutOff')::time as cut_off,
        array_position(array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
          c.seen ->> 'weekday')::smallint as weekday
      from changed c join staff_merchant m on m.id = c.about_merchant
    )
    insert into past_settlement_cycle (merchant_id, valid_until, cycle, weekday, cut_off)
    select about_merchant, next_settlement(zone, cut_off, cycle, weekday, ended_at), cycle, weekday, cut_off
    -- Of several changes before one cut-off, the first one replaced the cycle that planned it.
    from past order by id on conflict do nothing;
  end if;
end $$;

reset role;
do $$
begin
  execute format('revoke hengfu_staff from %I', current_user);
end $$;

call protect_tenant_table('past_settlement_cycle');
create policy staff on past_settlement_cycle to hengfu_staff using (merchant_id = current_merchant());
create policy twins on past_settlement_cycle to hengfu_twins using (true);
-- Backups read it.
grant select on past_settlement_cycle to hengfu_system;
create trigger append_only before delete or update or truncate on past_settlement_cycle
  for each statement execute function refuse_change();
create trigger twin_follows after insert on past_settlement_cycle
  for each row execute function twin_follows('merchant_id');
