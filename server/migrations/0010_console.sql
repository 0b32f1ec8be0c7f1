-- The console: contact details, exports, saved views, notifications.

-- How merchants reach our support team; set by operators, the same for everyone.
create table contact_way (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('email', 'phone', 'whatsapp', 'telegram', 'wechat', 'website')),
  value text not null check (value <> ''),
  note_en text,
  note_zh_cn text,
  note_vi text,
  created_at timestamptz not null default now(),
  constraint contact_way_once unique (kind, value)
);
grant select on contact_way to hengfu_app;
grant select, insert, update, delete on contact_way to hengfu_system;

-- Exports of lists as files. One attempt at a time works on a task; an abandoned attempt changes nothing.
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
  -- Name of the schedule that requested it; null if a person did.
  schedule_name text,
  status text not null default 'waiting' check (status in ('waiting', 'exporting', 'successful', 'failed')),
  attempt integer not null default 0,
  written_rows bigint not null default 0,
  file_name text not null,
  -- Key of the file in storage; null before it exists and after it was deleted.
  file_key text,
  bytes bigint,
  sha256 bytea,
  sums jsonb,
  reason text,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  -- Heartbeat of the worker that writes it.
  alive_at timestamptz(3),
  finished_at timestamptz(3),
  expires_at timestamptz(3),
  -- It has ended, and its creator has not been notified yet.
  awaits_notice boolean not null default false,
  primary key (merchant_id, id),
  constraint export_no unique (merchant_id, export_no),
  constraint export_failed_has_reason check ((status = 'failed') = (reason is not null)),
  constraint export_finished_has_time check ((status in ('successful', 'failed')) = (finished_at is not null)),
  constraint export_running_is_alive check (status <> 'exporting' or alive_at is not null)
);
create index export_newest on export_task (merchant_id, created_at desc, id desc);
create index export_by_status on export_task (merchant_id, status, created_at desc, id desc);
create index export_running on export_task (alive_at) where status = 'exporting';
create index export_to_report on export_task (merchant_id, created_by) where awaits_notice;
create index export_to_delete on export_task (expires_at) where file_key is not null;
call protect_tenant_table('export_task');
grant select, insert, update on export_task to hengfu_app, hengfu_system;

-- Exports that run after each day, week or month, for that period.
create table export_schedule (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  name text not null check (name <> ''),
  list text not null,
  filters jsonb not null,
  columns text[] not null,
  format text not null check (format in ('csv', 'xlsx')),
  language text not null,
  zone text not null,
  every text not null check (every in ('daily', 'weekly', 'monthly')),
  -- The end of the next period to export.
  next_at timestamptz not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, id)
);
create index export_schedule_due on export_schedule (next_at);
call protect_tenant_table('export_schedule');
grant select, insert, update, delete on export_schedule to hengfu_app, hengfu_system;

-- Named filters and columns of a list, for the person who saved them.
create table saved_view (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  user_id bigint not null,
  list text not null,
  name text not null,
  filters jsonb not null,
  columns text[] not null,
  saved_at timestamptz not null default now(),
  primary key (merchant_id, id),
  constraint saved_view_name unique (merchant_id, user_id, list, name),
  foreign key (merchant_id, user_id) references membership
);
call protect_tenant_table('saved_view');
grant select, insert, update, delete on saved_view to hengfu_app, hengfu_system;

-- Headings of a merchant's own batch files, normalized, and the field of a payout that their column holds.
create table batch_heading (
  merchant_id bigint not null references merchant,
  heading text not null check (heading <> ''),
  field text not null,
  saved_at timestamptz not null default now(),
  primary key (merchant_id, heading)
);
call protect_tenant_table('batch_heading');
grant select, insert, update, delete on batch_heading to hengfu_app, hengfu_system;

-- Notifications, as codes and figures rather than sentences. Inserted in the transaction of the event.
create table notice (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  kind text not null,
  -- For one person; null for everyone at the merchant who may read the subject.
  user_id bigint,
  -- Number of the order, batch or export.
  subject text,
  facts jsonb not null,
  -- When the row was inserted, not when its transaction began, because read marks are compared with it.
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, id),
  foreign key (merchant_id, user_id) references membership
);
create index notice_by_age on notice (created_at);
create index notice_of_merchant on notice (merchant_id, created_at);
call protect_tenant_table('notice');
grant select, insert on notice to hengfu_app;
grant select, insert, delete on notice to hengfu_system;

-- A person has read everything up to this number; notice_read has single notifications above it.
create table notice_mark (
  merchant_id bigint not null references merchant,
  user_id bigint not null,
  up_to_id bigint not null,
  primary key (merchant_id, user_id),
  foreign key (merchant_id, user_id) references membership
);
call protect_tenant_table('notice_mark');
grant select, insert, update on notice_mark to hengfu_app, hengfu_system;

create table notice_read (
  merchant_id bigint not null references merchant,
  user_id bigint not null,
  notice_id bigint not null,
  read_at timestamptz not null default now(),
  primary key (merchant_id, user_id, notice_id),
  foreign key (merchant_id, user_id) references membership
);
create index notice_read_by_age on notice_read (read_at);
call protect_tenant_table('notice_read');
grant select, insert, delete on notice_read to hengfu_app, hengfu_system;

-- People who have dismissed the list of first steps on the dashboard.
create table first_steps_dismissal (
  merchant_id bigint not null references merchant,
  user_id bigint not null,
  dismissed_at timestamptz not null default now(),
  primary key (merchant_id, user_id),
  foreign key (merchant_id, user_id) references membership
);
call protect_tenant_table('first_steps_dismissal');
grant select, insert on first_steps_dismissal to hengfu_app, hengfu_system;
