-- The second factor of a merchant's person is reset once two of our staff agree, and the one who approves hands over the enrollment code.
-- locks: policies and grants change no row; each needs its table for a moment, and the migration gives way if it has to wait.

-- An enrollment code, encrypted, that one person reads once.
create table staff_code_handover (
  user_id bigint primary key references app_user,
  -- The merchant for which the second factor was reset. It belongs to our staff, so it stays in one place when merchants are distributed.
  about_merchant bigint not null,
  -- The only one who may read it: `staff:<id>` or `operator:<name>`.
  reader text not null,
  sealed bytea not null,
  expires_at timestamptz not null default (now() + interval '1 day')
);
create index staff_code_handover_expiry on staff_code_handover (expires_at);
grant select, insert, update (about_merchant, reader, sealed, expires_at), delete on staff_code_handover to hengfu_staff;

-- Codes are written for people of the merchant of the transaction, and never read.
alter table enrolment_code enable row level security, force row level security;
create policy system on enrolment_code to hengfu_system using (true);
create policy staff on enrolment_code to hengfu_staff using (
  exists (select from membership m where m.merchant_id = current_merchant() and m.user_id = enrolment_code.user_id and m.removed_at is null));
grant select (user_id), insert (user_id, code_hash, expires_at), update (code_hash, expires_at) on enrolment_code to hengfu_staff;

-- Whether any merchant of a person requires a second factor.
call open_to_overview('membership', 'merchant_id, user_id, removed_at');
call open_to_overview('merchant', 'requires_two_factor');
create view staff_factor_rule as
  select p.user_id, bool_or(m.requires_two_factor) as is_required
  from membership p join merchant m on m.id = p.merchant_id where p.removed_at is null group by p.user_id;
call give_view('staff_factor_rule');
