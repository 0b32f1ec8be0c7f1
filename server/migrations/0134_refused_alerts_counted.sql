-- A command that was refused after our staff had been alerted has done nothing. It is counted by itself. Until the refusal is recorded,
-- moments later, it looks like an action, so the last action is one of more than a minute ago.
grant select (alert_id) on staff_alert_refused to hengfu_overview;
create or replace view staff_alert_count as
  select (count(*) filter (where r.alert_id is null))::integer as of_hour,
    (count(*) filter (where r.alert_id is not null))::integer as refused_of_hour,
    max(a.at) filter (where r.alert_id is null and a.at < now() - interval '1 minute') as last_at
  from staff_alert a left join staff_alert_refused r on r.alert_id = a.id
  where a.at > now() - interval '1 hour';
