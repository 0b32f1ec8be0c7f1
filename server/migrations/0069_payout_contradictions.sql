-- A report that contradicts the outcome of a payout waits for our staff: either the money went twice, or somebody decided wrongly.
-- locks: a new table, and a view that changes no row.

create table payout_contradiction (
  merchant_id bigint not null references merchant,
  -- No foreign key: adding one would lock the payouts.
  payout_id bigint not null,
  trade_no text not null,
  -- The one that contradicts: the channel's report, or the bank's statement that two people have read.
  source text not null check (source in ('channel', 'statement')),
  reported text not null check (reported in ('paid', 'failed')),
  bank_reference text not null,
  at timestamptz(3) not null default now(),
  -- When and by whom it was settled, and how.
  settled_at timestamptz(3),
  settled_by text,
  note text check (char_length(note) between 1 and 300),
  -- A report is repeated many times.
  primary key (merchant_id, payout_id, source, reported),
  constraint payout_contradiction_settled check (num_nulls(settled_at, settled_by, note) in (0, 3))
);
create index payout_contradiction_open on payout_contradiction (at) where settled_at is null;
call protect_tenant_table('payout_contradiction');
grant select, insert on payout_contradiction to hengfu_app;
grant select on payout_contradiction to hengfu_system;
create policy staff on payout_contradiction to hengfu_staff using (merchant_id = current_merchant());
grant select, update (settled_at, settled_by, note) on payout_contradiction to hengfu_staff;

call open_to_overview('payout_contradiction', 'merchant_id, payout_id, trade_no, at, settled_at');
create view staff_contradicted_payout as
  select c.merchant_id, c.trade_no, p.amount_minor, p.currency, min(c.at) as since
  from payout_contradiction c join payout p on p.merchant_id = c.merchant_id and p.id = c.payout_id
  where c.settled_at is null group by c.merchant_id, c.trade_no, p.amount_minor, p.currency;
call give_view('staff_contradicted_payout');

-- Adds them to the things that wait, whatever other migrations have added.
do $$
begin
  execute format($view$
    create or replace view staff_waiting as %s
    union all
    select 'payoutContradicted', c.merchant_id, m.code, c.trade_no, c.amount_minor, c.currency, c.since
    from staff_contradicted_payout c join merchant m on m.id = c.merchant_id$view$,
    rtrim(pg_get_viewdef('staff_waiting'::regclass), '; '));
end $$;
