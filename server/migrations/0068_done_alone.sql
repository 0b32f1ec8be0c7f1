-- Credits and payments below FOUR_EYES_FROM that one person made alone: many small ones count like a large one.
-- locks: a new table.

create table staff_alone (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('topupCredit', 'withdrawalPayment')),
  -- `staff:<id>` or `operator:<name>`.
  actor text collate "C" not null,
  -- Belongs to our staff and to no merchant, so it stays in one place when merchants are distributed.
  about_merchant bigint not null,
  usdt_minor bigint not null check (usdt_minor > 0),
  at timestamptz(3) not null default now()
);
create index staff_alone_lately on staff_alone (actor, kind, at);
grant select, insert (kind, actor, about_merchant, usdt_minor) on staff_alone to hengfu_staff;
create trigger append_only before delete or update or truncate on staff_alone
  for each statement execute function refuse_change();
