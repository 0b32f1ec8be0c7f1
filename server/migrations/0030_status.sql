-- How the service does: what processes count, what is sampled of it, and incidents. The whole installation's, not a
-- merchant's: the application's role reads none of it, the status call picks what a reader may know.

-- Calls of the last two hours; every web process adds its own.
create table request_minute (
  minute timestamptz not null,
  -- How long they took, as a class of a scale (status.rules.ts).
  delay_class smallint not null,
  answered bigint not null,
  failed bigint not null,
  primary key (minute, delay_class)
) with (fillfactor = 70);
grant select, insert, update, delete on request_minute to hengfu_system;

-- Orders that a channel decided in the last two hours, of all merchants.
create table channel_minute (
  minute timestamptz not null,
  channel text not null references channel,
  kind text not null check (kind in ('collection', 'payout')),
  is_paid boolean not null,
  delay_class smallint not null,
  orders bigint not null,
  primary key (minute, channel, kind, is_paid, delay_class)
);
grant select, insert, delete on channel_minute to hengfu_system;

-- What those counts are read from: payments and paid payouts have their indexes, refusals had none by time.
create index collection_event_failed on collection_event (at) where status = 'failed';
create index payout_rejected_at on payout (rejected_at) where rejected_at is not null;

-- One sample a minute and component; kept as long as incidents are judged by them.
create table status_sample (
  component text not null,
  minute timestamptz not null,
  state text not null check (state in ('operational', 'degraded', 'down')),
  primary key (component, minute)
);
grant select, insert, delete on status_sample to hengfu_system;

-- Minutes in each state, in buckets of 15 minutes, so that the days of every zone add up exactly.
create table status_quarter (
  component text not null,
  bucket timestamptz not null,
  operational smallint not null,
  degraded smallint not null,
  down smallint not null,
  primary key (component, bucket)
) with (fillfactor = 70);
grant select, insert, update, delete on status_quarter to hengfu_system;

create table status_incident (
  id bigint generated always as identity primary key,
  source text not null check (source in ('samples', 'operator')),
  -- Null: the operator named none.
  component text,
  impact text not null check (impact in ('degraded', 'down')),
  title_en text,
  title_zh_cn text,
  title_vi text,
  started_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('recovered', 'unwatched', 'resolved')),
  constraint status_incident_end_has_reason check ((ended_at is null) = (end_reason is null)),
  constraint status_incident_title check ((source = 'operator') = (title_en is not null)),
  constraint status_incident_component check (source = 'operator' or component is not null)
);
-- The samples keep one open for a component at the most.
create unique index status_incident_open on status_incident (component) where source = 'samples' and ended_at is null;
grant select, insert, update, delete on status_incident to hengfu_system;

create table status_incident_update (
  id bigint generated always as identity primary key,
  incident_id bigint not null references status_incident on delete cascade,
  at timestamptz not null default now(),
  -- Null: a note.
  stage text check (stage in ('investigating', 'identified', 'monitoring', 'resolved')),
  text_en text not null check (text_en <> ''),
  text_zh_cn text,
  text_vi text
);
create index status_incident_update_of on status_incident_update (incident_id);
grant select, insert, delete on status_incident_update to hengfu_system;

-- How long the oldest job that is due, and the oldest due callback, have waited for a worker; null where none is due.
-- The queue's tables are the owner's. Callbacks are looked for among the first thousand: its cost has a bound.
create function job_delays() returns table (job_seconds double precision, callback_seconds double precision)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    with due as (
      select j.run_at, t.identifier
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where j.is_available and j.run_at <= now()
      order by j.priority, j.run_at limit 1000)
    select extract(epoch from now() - min(run_at))::double precision,
      extract(epoch from now() - min(run_at) filter (where identifier = 'callbacks.deliver'))::double precision
    from due
  $$;
revoke execute on function job_delays from public;
grant execute on function job_delays to hengfu_system;
