-- The first cut-off after an instant on a day of a cycle, in a zone's calendar. Workdays are Monday to Friday; `weekday` is that of a weekly
-- cycle, from Monday (1) to Sunday (7).
create or replace function next_settlement(zone text, cut_off time, cycle text, weekday smallint, after timestamptz)
  returns timestamptz
  language sql stable
  as $$
    select min((day + cut_off) at time zone zone) from (
      select (after at time zone zone)::date + days as day from generate_series(0, 8) as days) calendar
    where (day + cut_off) at time zone zone > after and case cycle
      when 'workdays' then extract(isodow from day) <= 5
      when 'weekly' then extract(isodow from day) = weekday
      else true end
  $$;
