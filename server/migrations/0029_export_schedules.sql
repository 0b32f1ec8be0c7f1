-- Exports that are made after each day, week or month, about that one.
create table export_schedule (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  list text not null,
  filters jsonb not null,
  columns text[] not null,
  format text not null check (format in ('csv', 'xlsx')),
  language text not null,
  zone text not null,
  every text not null check (every in ('daily', 'weekly', 'monthly')),
  -- The end of the period that it is about next.
  next_at timestamptz not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, id)
);
create index export_schedule_due on export_schedule (next_at);
call protect_tenant_table('export_schedule');
grant select, insert, update, delete on export_schedule to hengfu_app, hengfu_system;

-- The first instant of the period of a zone that an instant lies in, and so many periods later.
create function period_start(every text, at timestamptz, zone text, later integer) returns timestamptz
  language sql stable
  as $$
    select (date_trunc(unit, at at time zone zone) + later * ('1 ' || unit)::interval) at time zone zone
    from (select case every when 'daily' then 'day' when 'weekly' then 'week' else 'month' end as unit) u
  $$;
