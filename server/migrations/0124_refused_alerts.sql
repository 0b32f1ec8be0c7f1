-- Commands that were refused after our staff had been alerted. An alert never changes, so what became of its command stands beside it.
-- locks: nothing but new alerts waits for the reference, which reads no row.
create table staff_alert_refused (
  alert_id bigint primary key references staff_alert,
  at timestamptz(3) not null default now()
);
grant select, insert on staff_alert_refused to hengfu_staff;
create trigger append_only before delete or update or truncate on staff_alert_refused
  for each statement execute function refuse_change();
