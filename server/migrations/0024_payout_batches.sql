-- Batches of payouts: rows that were applied for together. Each row becomes a payout, or fails, by itself.

create table payout_batch (
  id bigint generated always as identity,
  merchant_id bigint not null references merchant,
  batch_no text not null,
  name text not null,
  channel text not null references channel,
  currency text not null,
  -- Of what the rows ask for: the same file twice is noticed.
  content_hash bytea not null,
  row_count integer not null check (row_count > 0),
  amount_minor bigint not null check (amount_minor > 0),
  fee_minor bigint not null check (fee_minor >= 0),
  -- `user:<id>`.
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  -- Told of a finished batch; one under way is counted.
  taken_count integer,
  failed_count integer,
  primary key (merchant_id, id),
  constraint payout_batch_no unique (batch_no),
  constraint payout_batch_finished_is_counted
    check (case when finished_at is null then taken_count is null and failed_count is null
      else coalesce(taken_count + failed_count, -1) = row_count end)
);
create index payout_batch_newest on payout_batch (merchant_id, created_at desc, id desc);
create index payout_batch_by_content on payout_batch (merchant_id, content_hash);
call protect_tenant_table('payout_batch');
grant select, insert, update on payout_batch to hengfu_app, hengfu_system;

create table payout_batch_row (
  merchant_id bigint not null,
  batch_id bigint not null,
  line integer not null,
  fields jsonb not null,
  -- The person means it although it looks like an earlier payment.
  means_similar boolean not null,
  state text not null default 'waiting' check (state in ('waiting', 'taken', 'failed')),
  trade_no text,
  reason text,
  try_at timestamptz not null default now(),
  tries integer not null default 0,
  primary key (merchant_id, batch_id, line),
  foreign key (merchant_id, batch_id) references payout_batch,
  constraint payout_batch_row_payout unique (trade_no),
  constraint payout_batch_row_taken_has_payout check ((state = 'taken') = (trade_no is not null)),
  constraint payout_batch_row_failed_has_reason check ((state = 'failed') = (reason is not null))
);
create index payout_batch_row_waiting on payout_batch_row (merchant_id, batch_id, line) where state = 'waiting';
create index payout_batch_row_failed on payout_batch_row (merchant_id, batch_id, line) where state = 'failed';
call protect_tenant_table('payout_batch_row');
grant select, insert, update on payout_batch_row to hengfu_app, hengfu_system;

alter table payout
  add column batch_no text references payout_batch (batch_no),
  add column batch_line integer,
  add constraint payout_batch_has_line check ((batch_no is null) = (batch_line is null));
-- A row is one payout at the most.
create unique index payout_batch_line on payout (batch_no, batch_line) where batch_no is not null;
create index payout_by_batch on payout (merchant_id, batch_no, created_at desc, id desc) where batch_no is not null;

create function payout_batch_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'batch_row_is_its_payout', format('batch %s row %s: %s', b.batch_no, r.line, r.trade_no)
      from payout_batch_row r
      join payout_batch b on b.merchant_id = r.merchant_id and b.id = r.batch_id
      left join payout p on p.merchant_id = r.merchant_id and p.trade_no = r.trade_no
        and p.batch_no = b.batch_no and p.batch_line = r.line
      where r.state = 'taken' and p.id is null
    union all
    select 'payout_is_its_batch_row', p.trade_no
      from payout p
      join payout_batch b on b.batch_no = p.batch_no
      left join payout_batch_row r on r.merchant_id = b.merchant_id and r.batch_id = b.id and r.line = p.batch_line
        and r.trade_no = p.trade_no
      where p.batch_no is not null and (r.line is null or p.merchant_id <> b.merchant_id)
    union all
    select 'batch_counts_its_rows', format('%s: %s rows of %s, %s taken, %s failed', b.batch_no, count(r.line), b.row_count,
        count(*) filter (where r.state = 'taken'), count(*) filter (where r.state = 'failed'))
      from payout_batch b
      left join payout_batch_row r on r.merchant_id = b.merchant_id and r.batch_id = b.id
      group by b.batch_no, b.row_count, b.finished_at, b.taken_count, b.failed_count
      having count(r.line) <> b.row_count
        or (b.finished_at is not null and (b.taken_count <> count(*) filter (where r.state = 'taken')
          or b.failed_count <> count(*) filter (where r.state = 'failed')))
  $$;
