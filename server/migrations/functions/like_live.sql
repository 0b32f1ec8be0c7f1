-- needed by tables
-- Refuses people of a test merchant who are not those of its live merchant, whichever process adds or changes them.
create or replace function like_live() returns trigger
  language plpgsql volatile
  as $$
begin
  perform assert_like_live(new.merchant_id, new.user_id, new.roles, new.disabled_at is null);
  return null;
end $$;
