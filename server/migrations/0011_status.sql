-- How the service performs: counts, samples, incidents. They belong to the installation, not to a merchant: hengfu_app
-- reads none of it.

-- Calls of the last two hours; each web process adds its own.
create table request_minute (
  minute timestamptz not null,
  -- Duration class (status.rules.ts).
  delay_class smallint not null,
  answered bigint not null,
  failed bigint not null,
  primary key (minute, delay_class)
) with (fillfactor = 70);
grant select, insert, update, delete on request_minute to hengfu_system;

-- Orders decided by a channel in the last two hours, of all merchants.
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

-- One sample per minute and component, kept as long as incidents depend on them.
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
  -- Null if the operator named none.
  component text,
  impact text not null check (impact in ('degraded', 'down')),
  title_en text,
  title_zh_cn text,
  title_vi text,
  started_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('recovered', 'unwatched', 'resolved')),
  constraint status_incident_component check (source = 'operator' or component is not null),
  constraint status_incident_end_has_reason check ((ended_at is null) = (end_reason is null)),
  constraint status_incident_title check ((source = 'operator') = (title_en is not null))
);
-- Samples have at most one open incident per component.
create unique index status_incident_open on status_incident (component) where source = 'samples' and ended_at is null;
grant select, insert, update, delete on status_incident to hengfu_system;

create table status_incident_update (
  id bigint generated always as identity primary key,
  incident_id bigint not null references status_incident on delete cascade,
  at timestamptz not null default now(),
  -- Null for a note.
  stage text check (stage in ('investigating', 'identified', 'monitoring', 'resolved')),
  text_en text not null check (text_en <> ''),
  text_zh_cn text,
  text_vi text
);
create index status_incident_update_of on status_incident_update (incident_id);
grant select, insert, delete on status_incident_update to hengfu_system;
