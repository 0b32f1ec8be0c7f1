-- The service's settings, state and audit trail in the back office.
-- locks: policies and grants change no row; each needs its table for a moment, and the migration gives way if it has to wait.

grant select, update (collection_open, payout_open) on channel to hengfu_staff;
grant select (minute, channel, kind, is_paid, orders) on channel_minute to hengfu_staff;
grant select, insert, update (note_en, note_zh_cn, note_vi), delete on contact_way to hengfu_staff;
grant select, insert, update (ended_at, end_reason) on status_incident to hengfu_staff;
grant select, insert on status_incident_update to hengfu_staff;
grant select, insert on exchange_rate to hengfu_staff;
grant insert on deposit_wallet to hengfu_staff;
grant select on ledger_proof to hengfu_staff;
grant select on audit_root to hengfu_staff;

-- Backups that `operator backup` has made, so that their age is known. The files are elsewhere.
create table backup_record (
  id bigint generated always as identity primary key,
  -- The moment whose data the backup has.
  made_at timestamptz not null
);
grant select on backup_record to hengfu_staff, hengfu_system;

call open_to_overview('merchant_job', 'line, merchant_id, due_at, worker, last_error');
create view staff_merchant_job as
  select line, due_at, worker is not null as is_running, last_error is not null as has_failed from merchant_job;
call give_view('staff_merchant_job');

-- The audit trail of the service (merchant 0) and of all merchants. Archived months are not in it.
call open_to_overview('audit',
  'id, merchant_id, at, actor, action, subject, address, request_id, before, after, roles, user_agent');
create view staff_audit as
  select id, merchant_id, at, actor, action, subject, address, request_id, before, after, roles, user_agent from audit;
call give_view('staff_audit');

-- The people of merchants, so that the audit trail can name them.
call open_to_overview('app_user', 'id, email, name');
create view staff_person as
  select id, email, name from app_user;
call give_view('staff_person');

-- The parts of a generated password for an account of our staff: the person who asked for it and the person who approved it hand over
-- one each, so that neither one can sign in with it.
create table staff_handover (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff_user,
  part text not null check (part in ('first', 'second')),
  -- The only one who may read it: `staff:<id>` or `operator:<name>`.
  reader text not null,
  -- Encrypted.
  sealed bytea not null,
  expires_at timestamptz not null default (now() + interval '1 day'),
  constraint staff_handover_part unique (staff_id, part)
);
create index staff_handover_expiry on staff_handover (expires_at);
grant select, update (sealed), delete on staff_handover to hengfu_staff;
grant select (staff_id), insert, delete on staff_handover to hengfu_accounts;
