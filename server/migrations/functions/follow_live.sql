-- needed by tables
-- Copies to the test merchant of a live merchant whatever must be equal there: its standing, people, own roles, approval rules, limits,
-- terms and settlement cycles. Does nothing if there is no such twin. A twin that is being opened waits for changes in progress, and they for it.
create or replace function follow_live(of_live bigint) returns void
  language plpgsql volatile security definer set search_path = public, pg_temp
  as $$
declare
  twin bigint;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('twin ' || of_live, 0));
  select t.id into twin from merchant t where t.live_merchant_id = of_live and t.retired_at is null;
  if twin is null then
    return;
  end if;
  -- One change is copied after the other, and each statement below sees what was committed while this one waited. Without the lock, a copy
  -- made from rows that another transaction is changing could stay.
  perform pg_advisory_xact_lock(hashtextextended('follow ' || of_live, 0));
  if exists (select from merchant t, merchant l where t.id = twin and l.id = of_live
      and t.suspended_at is distinct from l.suspended_at) then
    -- Everything that the twin could still begin is committed before its standing changes.
    perform lock_standing(twin);
  end if;
  update merchant t
    set name = l.name || ' (TEST)', zone = l.zone, requires_two_factor = l.requires_two_factor, suspended_at = l.suspended_at,
      suspension_reason = l.suspension_reason, suspended_by = l.suspended_by, approval_days = l.approval_days,
      payout_limit_minor = l.payout_limit_minor, payout_day_limit_minor = l.payout_day_limit_minor,
      collection_limit_minor = l.collection_limit_minor, settlement_cut_off = l.settlement_cut_off,
      settlement_cycle = l.settlement_cycle, settlement_weekday = l.settlement_weekday
    from merchant l
    where t.id = twin and t.retired_at is null and l.id = of_live
      and (t.name, t.zone, t.requires_two_factor, t.suspended_at, t.suspension_reason, t.suspended_by, t.approval_days,
        t.payout_limit_minor, t.payout_day_limit_minor, t.collection_limit_minor, t.settlement_cut_off, t.settlement_cycle,
        t.settlement_weekday)
      is distinct from (l.name || ' (TEST)', l.zone, l.requires_two_factor, l.suspended_at, l.suspension_reason, l.suspended_by,
        l.approval_days, l.payout_limit_minor, l.payout_day_limit_minor, l.collection_limit_minor, l.settlement_cut_off,
        l.settlement_cycle, l.settlement_weekday);
  insert into own_role as r (merchant_id, code, name, name_key, description, perms, version, created_at, updated_at, retired_at)
    select twin, l.code, l.name, l.name_key, l.description, l.perms, l.version, l.created_at, l.updated_at, l.retired_at
    from own_role l where l.merchant_id = of_live order by l.retired_at is null, l.code
    on conflict (merchant_id, code) do update
      set name = excluded.name, name_key = excluded.name_key, description = excluded.description, perms = excluded.perms,
        version = excluded.version, updated_at = excluded.updated_at, retired_at = excluded.retired_at
      where (r.name, r.name_key, r.description, r.perms, r.version, r.updated_at, r.retired_at)
        is distinct from (excluded.name, excluded.name_key, excluded.description, excluded.perms, excluded.version,
          excluded.updated_at, excluded.retired_at);
  insert into membership as p (merchant_id, user_id, roles, disabled_at, created_at, removed_at)
    select twin, l.user_id, l.roles, l.disabled_at, l.created_at, l.removed_at
    from membership l where l.merchant_id = of_live order by l.user_id
    on conflict (merchant_id, user_id) do update
      set roles = excluded.roles, disabled_at = excluded.disabled_at, created_at = excluded.created_at,
        removed_at = excluded.removed_at
      where (p.roles, p.disabled_at, p.created_at, p.removed_at)
        is distinct from (excluded.roles, excluded.disabled_at, excluded.created_at, excluded.removed_at);
  update approval_rule r set ended_at = now()
    where r.merchant_id = twin and r.ended_at is null
      and not exists (select from approval_rule l where l.merchant_id = of_live and l.ended_at is null
        and (l.kind, l.amount_minor, l.approvers, l.roles, l.people) = (r.kind, r.amount_minor, r.approvers, r.roles, r.people));
  insert into approval_rule (merchant_id, kind, amount_minor, approvers, roles, people, created_by, created_at)
    select twin, l.kind, l.amount_minor, l.approvers, l.roles, l.people, l.created_by, l.created_at
    from approval_rule l where l.merchant_id = of_live and l.ended_at is null
    on conflict (merchant_id, kind, amount_minor) where ended_at is null do nothing;
  insert into merchant_terms (merchant_id, channel, valid_from, collection_rate_ppm, collection_fixed_minor, payout_rate_ppm,
      payout_fixed_minor, refund_fee_kept, refund_from_available)
    select twin, l.channel, l.valid_from, l.collection_rate_ppm, l.collection_fixed_minor, l.payout_rate_ppm, l.payout_fixed_minor,
      l.refund_fee_kept, l.refund_from_available
    from merchant_terms l where l.merchant_id = of_live
    on conflict do nothing;
  -- Cycles that had ended before there was a twin planned none of its settlements.
  insert into past_settlement_cycle (merchant_id, valid_until, cycle, weekday, cut_off)
    select twin, l.valid_until, l.cycle, l.weekday, l.cut_off
    from past_settlement_cycle l
    where l.merchant_id = of_live and l.valid_until > (select t.created_at from merchant t where t.id = twin)
    on conflict do nothing;
end $$;
