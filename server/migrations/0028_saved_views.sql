-- Filters and columns of a list under a name, for the person who saved them.
create table saved_view (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  user_id bigint not null references app_user,
  list text not null,
  name text not null,
  filters jsonb not null,
  columns text[] not null,
  saved_at timestamptz not null default now(),
  primary key (merchant_id, id),
  constraint saved_view_name unique (user_id, list, name)
);
call protect_tenant_table('saved_view');
grant select, insert, update, delete on saved_view to hengfu_app, hengfu_system;
