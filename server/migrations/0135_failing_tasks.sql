-- Recurring tasks of the installation whose last run failed. Such a job adds itself again while it runs, and the queue does not run the
-- failed one again, so its error is kept here. The next success deletes the row. Written by the owner only, like the queue.
create table failing_task (
  task text primary key,
  -- The first and the latest failure since the last success.
  failing_since timestamptz not null default now(),
  failed_at timestamptz not null default now(),
  failures integer not null default 1,
  last_error text not null
);
grant select on failing_task to hengfu_system;
