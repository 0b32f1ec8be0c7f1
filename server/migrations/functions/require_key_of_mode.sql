-- needed by tables
-- Refuses an access key whose ID does not say which mode it is for: those of test merchants begin with ak_test_, and no others do.
create or replace function require_key_of_mode() returns trigger
  language plpgsql volatile
  as $$
begin
  if is_test_merchant(new.merchant_id) <> starts_with(new.key_id, 'ak_test_') then
    raise exception 'key % has the prefix of the other mode', new.key_id
      using errcode = 'check_violation', constraint = 'access_key_of_mode', table = 'access_key';
  end if;
  return new;
end $$;
