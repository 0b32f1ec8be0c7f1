-- Merchants in the back office: their facts, people, keys and terms, notes of our staff, and the actions of support.
-- locks: policies and grants change no row; each needs its table for a moment, and the migration gives way if it has to wait.

-- Notes about a merchant, for our staff alone. None is changed or deleted.
create table merchant_note (
  merchant_id bigint not null references merchant,
  id bigint generated always as identity,
  -- A staff_user; no foreign key, because those stay in one place when merchants are distributed.
  staff_id bigint not null,
  text text not null check (char_length(text) between 1 and 2000),
  at timestamptz(3) not null default now(),
  primary key (merchant_id, id)
);
alter table merchant_note enable row level security, force row level security;
create policy staff on merchant_note to hengfu_staff using (merchant_id = current_merchant());
grant select, insert on merchant_note to hengfu_staff;
-- Backups read it.
grant select on merchant_note to hengfu_system;
create trigger append_only before delete or update or truncate on merchant_note
  for each statement execute function refuse_change();

create policy staff_suspends on merchant for update to hengfu_staff using (id = current_merchant());
-- A new merchant is live and active.
create policy staff_creates on merchant for insert to hengfu_staff with check (mode = 'live' and suspended_at is null);
grant select (code, name, home_currency, zone, settlement_cut_off, next_settlement_at, allowed_addresses, suspension_reason,
    suspended_by, created_at, requires_two_factor, mode),
  insert (code, name, home_currency, zone, settlement_cut_off, next_settlement_at),
  update (suspended_at, suspension_reason, suspended_by) on merchant to hengfu_staff;

-- People: neither passwords nor factors can be read.
create policy staff on membership for select to hengfu_staff using (merchant_id = current_merchant());
grant select on membership to hengfu_staff;
create policy staff on app_user for select to hengfu_staff using (
  exists (select from membership m where m.merchant_id = current_merchant() and m.user_id = app_user.id));
-- Nothing is done to people who have left the merchant. Second factors can be removed, never set. Changes of access lock the account, which needs the right, too.
create policy staff_resets on app_user for update to hengfu_staff
  using (exists (select from membership m where m.merchant_id = current_merchant() and m.user_id = app_user.id and m.removed_at is null))
  with check (two_factor_secret is null and two_factor_confirmed_at is null and recovery_codes is null);
grant select (id, email, name, disabled_at, two_factor_confirmed_at, last_merchant_id),
  update (two_factor_secret, two_factor_confirmed_at, two_factor_last_step, recovery_codes) on app_user to hengfu_staff;
alter table passkey enable row level security, force row level security;
create policy system on passkey to hengfu_system using (true);
create policy staff on passkey to hengfu_staff using (
  exists (select from membership m where m.merchant_id = current_merchant() and m.user_id = passkey.user_id and m.removed_at is null));
grant select (user_id), delete on passkey to hengfu_staff;
create policy staff on own_role for select to hengfu_staff using (merchant_id = current_merchant());
grant select (merchant_id, code, name, perms, retired_at) on own_role to hengfu_staff;
create policy staff on access_event to hengfu_staff using (merchant_id = current_merchant());
grant select (merchant_id, user_id, at, action), insert on access_event to hengfu_staff;

-- Signing out ends the sessions of a person of this merchant, wherever the person works. No session ID can be read.
create policy staff on session to hengfu_staff using (
  exists (select from membership m where m.merchant_id = current_merchant() and m.user_id = session.user_id and m.removed_at is null));
grant select (merchant_id, user_id), delete on session to hengfu_staff;
alter table pending_sign_in enable row level security, force row level security;
create policy system on pending_sign_in to hengfu_system using (true);
create policy staff on pending_sign_in to hengfu_staff using (
  exists (select from membership m where m.merchant_id = current_merchant() and m.user_id = pending_sign_in.user_id and m.removed_at is null));
grant select (user_id), delete on pending_sign_in to hengfu_staff;
-- Unlocking.
grant select (key), delete on sign_in_throttle to hengfu_staff;

-- Our staff invite the first person of a merchant, the owner. From then on, its own people do.
create policy staff on invitation for select to hengfu_staff using (merchant_id = current_merchant());
create policy staff_invites on invitation for insert to hengfu_staff with check (
  merchant_id = current_merchant() and roles = array['ROOT']
  and not exists (select from membership m where m.merchant_id = invitation.merchant_id));
create policy staff_renews on invitation for update to hengfu_staff using (
  merchant_id = current_merchant() and roles = array['ROOT']
  and not exists (select from membership m where m.merchant_id = invitation.merchant_id));
grant select (merchant_id, id, email, roles, invited_by, created_at, expires_at, accepted_at, revoked_at, approval_state),
  insert (merchant_id, email, roles, invited_by, token_hash, expires_at), update (token_hash, invited_by, expires_at)
  on invitation to hengfu_staff;

-- Access of the merchant's systems, without secrets.
create policy staff on access_key for select to hengfu_staff using (merchant_id = current_merchant());
grant select (merchant_id, key_id, created_at, revoked_at, disabled_at, ends_at, note) on access_key to hengfu_staff;
create policy staff on signed_call_count for select to hengfu_staff using (merchant_id = current_merchant());
grant select on signed_call_count to hengfu_staff;

create policy staff on merchant_terms to hengfu_staff using (merchant_id = current_merchant());
grant select, insert on merchant_terms to hengfu_staff;
create policy staff on withdrawal_terms to hengfu_staff using (merchant_id = current_merchant());
grant select, insert on withdrawal_terms to hengfu_staff;

-- The fees of paid orders, to show what other terms would have meant.
call open_to_overview('collection', 'merchant_id, status, amount_minor, fee_minor, channel, created_at');
call open_to_overview('payout', 'fee_minor');
create view staff_order_fee as
  select 'collection' as kind, merchant_id, channel, created_at, amount_minor, fee_minor from collection
  where status in ('paid', 'success', 'refunded')
  union all
  select 'payout', merchant_id, channel, created_at, amount_minor, fee_minor from payout where status = 'processed';
call give_view('staff_order_fee');

-- A reactivated merchant's held work is scheduled.
create policy staff on payout_batch for select to hengfu_staff using (merchant_id = current_merchant());
grant select (merchant_id, id, batch_no, finished_at) on payout_batch to hengfu_staff;

-- Of the audit trail, our staff read what they and the operators did.
create policy staff_reads on audit for select to hengfu_staff using (
  merchant_id = current_merchant() and (actor like 'staff:%' or actor like 'operator:%'));
grant select (id, merchant_id, at, actor, action, subject, before, after) on audit to hengfu_staff;

create view staff_balance as
  select merchant_id, kind, reference, currency, balance_minor from ledger_account;
call give_view('staff_balance');
