-- needed by tables
-- Whether a merchant is a test merchant, whatever the caller's role may see of it.
create or replace function is_test_merchant(of_merchant bigint) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
begin
  return exists (select from merchant m where m.id = of_merchant and m.mode = 'test');
end $$;
