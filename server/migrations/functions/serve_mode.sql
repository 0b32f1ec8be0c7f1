-- needed by tables
-- Refuses that a process which does not know test mode begins anything at a channel for a test merchant.
create or replace function serve_mode() returns trigger
  language plpgsql volatile
  as $$
begin
  perform assert_serves_mode(new.merchant_id);
  return new;
end $$;
