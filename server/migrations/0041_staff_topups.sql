-- The review of top-ups in the back office.
-- locks: policies and grants change no row; each needs its table for a moment, and the migration gives way if it has to wait.

-- The person who works on a case, which is an order that waits for our staff. It holds while the order is in the state in which it
-- was taken.
create table case_claim (
  merchant_id bigint not null,
  trade_no text collate "C" not null,
  status text not null,
  -- A staff_user; no foreign key, because those stay in one place when merchants are distributed.
  staff_id bigint not null,
  claimed_at timestamptz not null default now(),
  primary key (merchant_id, trade_no)
);
alter table case_claim enable row level security, force row level security;
create policy staff on case_claim to hengfu_staff using (merchant_id = current_merchant());
grant select, insert, update, delete on case_claim to hengfu_staff;
-- Backups read it.
grant select on case_claim to hengfu_system;

create policy staff on topup to hengfu_staff using (merchant_id = current_merchant());
grant select, update (status, arrived_usdt_minor, amount_minor, usd_minor, reject_reason, reviewed_at, paid_at) on topup
  to hengfu_staff;
create policy staff on topup_image for select to hengfu_staff using (merchant_id = current_merchant());
grant select on topup_image to hengfu_staff;
create policy staff on chain_transaction to hengfu_staff using (merchant_id = current_merchant());
grant select, delete on chain_transaction to hengfu_staff;
create policy staff on notice for insert to hengfu_staff with check (merchant_id = current_merchant());
grant insert on notice to hengfu_staff;
grant select on deposit_wallet to hengfu_staff;

call open_to_overview('topup', 'merchant_id, id, trade_no, status, coin, usdt_minor, arrived_usdt_minor, currency, amount_minor,
  usd_minor, usdt_rate, usd_rate, network, address, transaction_id, reject_reason, created_by, created_at, reviewed_at, paid_at');
call open_to_overview('topup_image', 'merchant_id, topup_id, sha256');
call open_to_overview('case_claim', 'merchant_id, trade_no, status, staff_id, claimed_at');
grant select (id, name) on staff_user to hengfu_overview;

create view staff_topup as
  select t.merchant_id, t.id, t.trade_no, t.status, t.coin, t.usdt_minor, t.arrived_usdt_minor, t.currency, t.amount_minor,
    t.usd_minor, t.usdt_rate, t.usd_rate, t.network, t.address, t.transaction_id, t.reject_reason, t.created_by, t.created_at,
    t.reviewed_at, t.paid_at, m.code as merchant_code, m.name as merchant_name
  from topup t join merchant m on m.id = t.merchant_id;
call give_view('staff_topup');

create view staff_topup_image as
  select merchant_id, topup_id, sha256 from topup_image;
call give_view('staff_topup_image');

create view staff_case_claim as
  select c.merchant_id, c.trade_no, c.status, c.staff_id, s.name as staff_name, c.claimed_at
  from case_claim c join staff_user s on s.id = c.staff_id;
call give_view('staff_case_claim');
