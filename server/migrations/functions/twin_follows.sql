-- needed by tables
-- Makes the test merchant of a live merchant follow a change of it. The argument names the column with the merchant's ID.
create or replace function twin_follows() returns trigger
  language plpgsql volatile
  as $$
begin
  perform follow_live((to_jsonb(new) ->> tg_argv[0])::bigint);
  return null;
end $$;
