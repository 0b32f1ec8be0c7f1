-- needed by tables
-- Returns a merchant and its test merchant, if it has one.
create or replace function with_twin(of_merchant bigint) returns bigint[]
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
begin
  return array(select of_merchant union all
    select t.id from merchant t where t.live_merchant_id = of_merchant and t.retired_at is null);
end $$;
