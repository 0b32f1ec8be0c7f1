-- Looks of our staff at what a merchant sees in its console, each for a reason that the merchant reads.
-- locks: policies and grants change no row; each needs its table for a moment, and the migration gives way if it has to wait.

create table staff_look (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff_user,
  -- It belongs to our staff, so it stays in one place when merchants are distributed.
  about_merchant bigint not null,
  reason text not null check (char_length(reason) between 1 and 300),
  started_at timestamptz(3) not null default now(),
  ends_at timestamptz(3) not null,
  constraint staff_look_ends check (ends_at > started_at and ends_at <= started_at + interval '30 minutes')
);
create index staff_look_latest on staff_look (staff_id, about_merchant, id desc);
create trigger append_only before delete or update or truncate on staff_look
  for each statement execute function refuse_change();
grant select, insert (staff_id, about_merchant, reason, ends_at) on staff_look to hengfu_staff;

-- Tables that a merchant's own pages read, for the merchant that the transaction names.
create policy staff on order_rollup for select to hengfu_staff using (merchant_id = current_merchant());
grant select on order_rollup to hengfu_staff;
create policy staff on order_rollup_day for select to hengfu_staff using (merchant_id = current_merchant());
grant select on order_rollup_day to hengfu_staff;
create policy staff on order_outcome_day for select to hengfu_staff using (merchant_id = current_merchant());
grant select on order_outcome_day to hengfu_staff;
create policy staff on order_rollup_period for select to hengfu_staff using (merchant_id = current_merchant());
grant select on order_rollup_period to hengfu_staff;
create policy staff on order_rollup_closing for select to hengfu_staff using (merchant_id = current_merchant());
grant select on order_rollup_closing to hengfu_staff;
create policy staff on archived_entry_sum for select to hengfu_staff using (merchant_id = current_merchant());
grant select on archived_entry_sum to hengfu_staff;
grant select on settlement to hengfu_staff;
grant select on ledger_entry to hengfu_staff;
grant select on ledger_account to hengfu_staff;
create policy staff on refund for select to hengfu_staff using (merchant_id = current_merchant());
grant select on refund to hengfu_staff;
