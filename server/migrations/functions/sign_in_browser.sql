-- A hash of a browser's user agent without version numbers.
create or replace function sign_in_browser(user_agent text) returns text
  language sql immutable
  as $$ select encode(sha256(convert_to(regexp_replace(coalesce(user_agent, ''), '[0-9._]+', '', 'g'), 'UTF8')), 'hex') $$;
