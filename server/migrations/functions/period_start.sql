-- The start of the period of a zone that contains an instant, shifted by a number of periods.
create or replace function period_start(every text, at timestamptz, zone text, later integer) returns timestamptz
  language sql stable
  as $$
    select (date_trunc(unit, at at time zone zone) + later * ('1 ' || unit)::interval) at time zone zone
    from (select case every when 'daily' then 'day' when 'weekly' then 'week' else 'month' end as unit) u
  $$;
