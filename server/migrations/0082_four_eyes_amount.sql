-- The amount from which on two people have to agree, as the back office that serves people was started with it. Commands of operators read it: their
-- own environment alone must not lift it.
-- locks: a new table.

create table staff_setting (
  name text primary key check (name = 'fourEyesFrom'),
  usdt_minor bigint not null check (usdt_minor >= 0),
  changed_at timestamptz(3) not null default now()
);
grant select, insert (name, usdt_minor), update (usdt_minor, changed_at) on staff_setting to hengfu_staff;
