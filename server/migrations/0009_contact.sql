-- How merchants reach the service's own staff: set by the operator, the same for everyone.

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
grant select on contact_way to hengfu_app, hengfu_system;
grant insert, update, delete on contact_way to hengfu_system;
