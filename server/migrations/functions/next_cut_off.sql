-- The first cut-off after an instant, in a zone's calendar.
create or replace function next_cut_off(zone text, cut_off time, after timestamptz) returns timestamptz
  language sql stable
  as $$
    select min(candidate) from (
      select ((after at time zone zone)::date + days + cut_off) at time zone zone as candidate
      from generate_series(0, 2) as days) candidates
    where candidate > after
  $$;
