-- needed by tables
-- Throws unless a member of a test merchant holds the same roles at its live merchant. Any member of a live merchant passes.
create or replace function assert_like_live(of_merchant bigint, member bigint, held text[], is_active boolean) returns void
  language plpgsql volatile security definer set search_path = public, pg_temp
  as $$
begin
  if exists (
    select from merchant t where t.id = of_merchant and t.mode = 'test' and t.retired_at is null
      and not exists (select from membership l where l.merchant_id = t.live_merchant_id and l.user_id = member
        and l.roles = held and (l.disabled_at is null) = is_active)) then
    raise exception 'member % of a test merchant differs from the live merchant', member
      using errcode = 'check_violation', constraint = 'membership_like_live', table = 'membership';
  end if;
end $$;
