-- Opens the test merchant of a live merchant, unless it has one, and returns its code. It begins with empty accounts, with the
-- addresses from which the live merchant's systems may call, and with the look of the checkout page: that of the test merchant before it, if
-- one was wiped, or else that of the live merchant.
create or replace function open_twin(of_live bigint) returns text
  language plpgsql volatile security definer set search_path = public, pg_temp
  as $$
declare
  found_code text;
  live_code text;
begin
  perform pg_advisory_xact_lock(hashtextextended('twin ' || of_live, 0));
  select t.code into found_code from merchant t where t.live_merchant_id = of_live and t.retired_at is null;
  if found_code is not null then
    return found_code;
  end if;
  select l.code into live_code from merchant l where l.id = of_live and l.mode = 'live';
  -- Each twin has a code of its own, so that a page that shows wiped data never works with the new one.
  for number in 1 .. 100000 loop
    insert into merchant (code, name, home_currency, zone, settlement_cut_off, next_settlement_at, allowed_addresses, mode,
        live_merchant_id)
      select left(live_code, 21) || '-test' || case when number = 1 then '' else '-' || number end, l.name || ' (TEST)', l.home_currency,
        l.zone, l.settlement_cut_off, next_cut_off(l.zone, l.settlement_cut_off, now()), l.allowed_addresses, 'test', l.id
      from merchant l where l.id = of_live and l.mode = 'live'
      on conflict (code) do nothing
      returning code into found_code;
    exit when found_code is not null;
  end loop;
  insert into checkout_brand (merchant_id, name, color, logo_name, logo)
    -- The name of a logo begins with the lane of its merchant, four characters.
    select t.id, b.name, b.color, merchant_lane(t.id) || substr(b.logo_name, 5), b.logo
    from merchant t, checkout_brand b join merchant m on m.id = b.merchant_id
    where t.live_merchant_id = of_live and t.retired_at is null
      and (m.id = of_live or m.live_merchant_id = of_live and m.retired_at is not null)
    order by m.retired_at desc nulls last
    limit 1;
  perform follow_live(of_live);
  return found_code;
end $$;
call give_function('open_twin', 'hengfu_twins');
revoke execute on function open_twin from public;
grant execute on function open_twin to hengfu_system;
