-- Exports of lists as files. A task is worked on by one attempt at a time; an attempt that has been given up changes
-- nothing any more.

create table export_task (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  export_no text not null,
  list text not null,
  filters jsonb not null,
  columns text[] not null,
  format text not null check (format in ('csv', 'xlsx')),
  language text not null,
  zone text not null,
  status text not null default 'waiting' check (status in ('waiting', 'exporting', 'successful', 'failed')),
  attempt integer not null default 0,
  written_rows bigint not null default 0,
  file_name text not null,
  -- Where the file is kept; null before it is there and after it was deleted.
  file_key text,
  bytes bigint,
  sha256 bytea,
  sums jsonb,
  reason text,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  -- Said again and again by the worker that writes it.
  alive_at timestamptz(3),
  finished_at timestamptz(3),
  expires_at timestamptz(3),
  primary key (merchant_id, id),
  constraint export_no unique (export_no),
  constraint export_finished_has_time check ((status in ('successful', 'failed')) = (finished_at is not null)),
  constraint export_failed_has_reason check ((status = 'failed') = (reason is not null)),
  constraint export_running_is_alive check (status <> 'exporting' or alive_at is not null)
);
create index export_newest on export_task (merchant_id, created_at desc, id desc);
create index export_by_status on export_task (merchant_id, status, created_at desc, id desc);
create index export_running on export_task (alive_at) where status = 'exporting';
create index export_to_delete on export_task (expires_at) where file_key is not null;
call protect_tenant_table('export_task');
grant select, insert, update on export_task to hengfu_app, hengfu_system;
