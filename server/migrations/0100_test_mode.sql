-- Test mode: beside each live merchant that tries something out there is a test merchant, its twin, a merchant of its own. Its people, own
-- roles, approval rules, limits and terms are copies that follow those of the live merchant within the same transaction.
-- locks: columns without a calculated default change no row; the indexes, checks and triggers concern small tables, of one row for
-- each merchant, member or rule. Order tables have migrations of their own (0102 to 0111).

-- hengfu_twins owns the functions that read a live merchant and write its twin. Nobody works as it.
do $$
begin
  if not exists (select from pg_roles where rolname = 'hengfu_twins') then
    begin
      create role hengfu_twins nologin;
    exception when duplicate_object or unique_violation then
      null; -- Another database of the same cluster created it at the same moment.
    end;
  end if;
  execute format('grant hengfu_twins to %I', current_user);
end $$;
grant usage on schema public to hengfu_twins;

-- When its test data was wiped. It stays suspended: ledger and audit trail are never deleted.
alter table merchant add column retired_at timestamptz;
alter table merchant add constraint merchant_retired check (retired_at is null or (mode = 'test' and suspended_at is not null)) not valid;
create unique index merchant_twin on merchant (live_merchant_id) where retired_at is null;
-- A retired twin keeps its live merchant.
drop index merchant_test_of;
create index merchant_twins_of on merchant (live_merchant_id, retired_at) where live_merchant_id is not null;

-- The adapter that serves a channel in test mode. No other one can: no real money moves there.
alter table channel
  add column test_adapter text not null default 'sandbox' constraint channel_test_adapter check (test_adapter = 'sandbox'),
  -- False where the adapter must not serve live merchants: that of a sandbox, in production.
  add column is_live boolean not null default true;

create policy twins on merchant to hengfu_twins using (true);
create policy twins on membership to hengfu_twins using (true);
create policy twins on own_role to hengfu_twins using (true);
create policy twins on approval_rule to hengfu_twins using (true);
create policy twins on merchant_terms to hengfu_twins using (true);
grant select, insert, update on merchant, membership, own_role, approval_rule to hengfu_twins;
grant select, insert on merchant_terms to hengfu_twins;
grant execute on function current_merchant to hengfu_twins;
call give_function('follow_live', 'hengfu_twins');
grant execute on function follow_live to hengfu_app, hengfu_system, hengfu_staff, hengfu_twins;
call give_function('assert_like_live', 'hengfu_twins');
grant execute on function assert_like_live to hengfu_app, hengfu_system, hengfu_twins;
call give_function('with_twin', 'hengfu_twins');
grant execute on function with_twin to hengfu_system, hengfu_staff;
call give_function('is_test_merchant', 'hengfu_twins');
grant execute on function is_test_merchant to hengfu_app, hengfu_system, hengfu_staff, hengfu_intake, hengfu_twins;

create trigger twin_follows after update of name, zone, requires_two_factor, suspended_at, approval_days, payout_limit_minor,
    payout_day_limit_minor, collection_limit_minor, settlement_cut_off, settlement_cycle, settlement_weekday on merchant
  for each row when (new.mode = 'live') execute function twin_follows('id');
create trigger twin_follows after insert or update on membership
  for each row execute function twin_follows('merchant_id');
create trigger twin_follows after insert or update on own_role
  for each row execute function twin_follows('merchant_id');
create trigger twin_follows after insert or update on approval_rule
  for each row execute function twin_follows('merchant_id');
create trigger twin_follows after insert on merchant_terms
  for each row execute function twin_follows('merchant_id');
create trigger like_live after insert or update on membership
  for each row execute function like_live();

-- The prefix of a key says which mode it is for.
create trigger key_of_mode before insert on access_key for each row execute function require_key_of_mode();

-- Test merchants are none that the database serves besides the demo's.
grant select (mode) on staff_merchant to hengfu_accounts;

-- The merchant that is offered first to a person who signs in, and whether there are others. Test merchants are entered from there.
create or replace view workplace with (security_invoker = true) as
  select distinct on (p.user_id) p.user_id, p.merchant_id, m.requires_two_factor,
    count(*) over (partition by p.user_id) > 1 as is_one_of_several
  from membership p join merchant m on m.id = p.merchant_id join app_user u on u.id = p.user_id
  where p.disabled_at is null and m.suspended_at is null and m.mode = 'live'
  order by p.user_id, coalesce(p.merchant_id = u.last_merchant_id, false) desc, p.created_at, p.merchant_id;

-- As before, without what waits at test merchants.
create or replace view staff_waiting_elsewhere as
  select 'payoutUnknown' as kind, m.code as merchant_code, p.trade_no as number, p.amount_minor, p.currency,
    coalesce(p.sent_at, p.created_at) as since
  from payout p join merchant m on m.id = p.merchant_id and m.mode = 'live'
  where p.status in ('pending', 'processing', 'pendingSettlement') and p.status = 'pendingSettlement'
  union all
  select 'payoutContradicted', m.code, c.trade_no, c.amount_minor, c.currency, c.since
  from staff_contradicted_payout c join merchant m on m.id = c.merchant_id and m.mode = 'live'
  union all
  select 'incident', null, coalesce(i.title_en, i.component), null, null, i.started_at
  from status_incident i
  where i.ended_at is null
  union all
  select 'staffRequest', m.code, r.id::text, null, null, r.created_at
  from staff_waiting_request r left join merchant m on m.id = r.merchant_id
  union all
  select 'unmatched', null, u.channel || ' ' || u.oldest_day, null, null, u.since
  from staff_unmatched u;
