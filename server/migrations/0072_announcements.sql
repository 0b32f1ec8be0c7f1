-- Announcements of the service to all merchants, or to some.

create table announcement (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('information', 'maintenance', 'warning')),
  text_en text not null check (char_length(text_en) between 1 and 500),
  text_zh_cn text check (char_length(text_zh_cn) between 1 and 500),
  text_vi text check (char_length(text_vi) between 1 and 500),
  starts_at timestamptz(3) not null,
  -- Null: until somebody ends it.
  ends_at timestamptz(3),
  -- The merchants that read it; null for all. An announcement belongs to the service, so it stays in one place when merchants are distributed.
  merchants bigint[] check (cardinality(merchants) between 1 and 200),
  created_at timestamptz(3) not null default now(),
  -- People who dismissed it before see it again.
  changed_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  constraint announcement_span check (ends_at > starts_at)
);
create index announcement_open on announcement (starts_at) where ended_at is null;
alter table announcement enable row level security;
create policy merchant on announcement for select to hengfu_app
  using (merchants is null or current_merchant() = any (merchants));
create policy staff on announcement to hengfu_staff using (true);
-- No merchant learns for whom else it is.
grant select (id, kind, text_en, text_zh_cn, text_vi, starts_at, ends_at, changed_at, ended_at) on announcement to hengfu_app;
grant select, insert (kind, text_en, text_zh_cn, text_vi, starts_at, ends_at, merchants),
  update (kind, text_en, text_zh_cn, text_vi, starts_at, ends_at, merchants, changed_at, ended_at) on announcement to hengfu_staff;

-- A person who has dismissed an announcement has done so at every merchant that the person works for.
create table announcement_dismissal (
  user_id bigint not null references app_user,
  announcement_id bigint not null references announcement,
  at timestamptz(3) not null default now(),
  primary key (user_id, announcement_id)
);
grant select, insert, update (at) on announcement_dismissal to hengfu_app;
