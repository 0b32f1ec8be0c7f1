-- Commands that two people agree to and that only an operator's role can carry out: the approval leaves a permit, which the command uses up.
-- Accounts of our staff know whether anybody has ever signed in with them.
-- locks: a new table, and a column and a constraint that no row is checked for.

create table staff_permit (
  id bigint generated always as identity primary key,
  kind text not null check (kind <> ''),
  subject text collate "C" not null,
  -- Exactly what was approved: the command has to ask for the same again.
  change jsonb not null,
  -- The operator who asked. Nobody else can use it.
  holder text not null check (holder ~ '^operator:.'),
  expires_at timestamptz not null default (now() + interval '1 day')
);
create index staff_permit_of_subject on staff_permit (kind, subject);
create index staff_permit_expiry on staff_permit (expires_at);
grant select, insert, delete on staff_permit to hengfu_staff;

-- When somebody first signed in with the account, so that one that nobody can use does not count as an administrator.
alter table staff_user add column signed_in_at timestamptz;
update staff_user u set signed_in_at = now() where exists (
  select from audit a where a.actor = 'staff:' || u.id and (a.actor like 'staff:%' or a.actor like 'operator:%') and a.action = 'staff.sign_in');
grant update (signed_in_at) on staff_user to hengfu_staff;
-- A name never looks like that of another kind of actor, such as an operator.
alter table staff_user add constraint staff_user_name check (name !~ ':') not valid;
