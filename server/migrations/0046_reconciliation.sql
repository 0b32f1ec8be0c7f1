-- Statements of channels, and their differences from the clearing accounts, for the reconciliation in the back office.
-- locks: policies and grants change no row; each needs its table for a moment, and the migration gives way if it has to wait.

-- How the statements of a channel are read.
create table reconciliation_mapping (
  channel text primary key,
  -- The bank's time zone (IANA), and when its day ends; 00:00 is midnight at its end.
  zone text not null,
  day_ends time not null default '00:00',
  -- Columns and forms of CSV files (contract/src/staff/statement-mapping.ts); null for a channel without any.
  csv jsonb,
  changed_by bigint not null references staff_user,
  changed_at timestamptz not null default now()
);
grant select, insert, update on reconciliation_mapping to hengfu_staff;

-- A channel's statement of one day. Amounts are as the bank sees them: positive came in.
create table reconciliation_statement (
  id bigint generated always as identity primary key,
  channel text not null,
  currency text not null,
  day date not null,
  -- The bank's day.
  zone text not null,
  day_ends time not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  format text not null check (format in ('csv', 'camt053')),
  file_name text not null,
  -- SHA-256 of the unpacked file.
  file_hash bytea not null check (octet_length(file_hash) = 32),
  state text not null default 'loading' check (state in ('loading', 'failed', 'open', 'closed')),
  -- Why the file could not be read, and the line; 0 for the whole file.
  fault text,
  fault_line integer,
  line_count integer not null default 0,
  credit_minor bigint not null default 0,
  debit_minor bigint not null default 0,
  -- The balances that the file states.
  opening_minor bigint,
  closing_minor bigint,
  -- Movements on the clearing accounts, as of the matching.
  clearing_minor bigint,
  matched_at timestamptz,
  uploaded_by bigint not null references staff_user,
  uploaded_at timestamptz not null default now(),
  -- When the last portion was loaded. A process that has died loads no more.
  loaded_at timestamptz not null default now(),
  closed_by bigint references staff_user,
  closed_at timestamptz,
  unique (channel, day),
  constraint reconciliation_statement_day check (starts_at < ends_at),
  constraint reconciliation_statement_failed check ((state = 'failed') = (fault is not null)),
  constraint reconciliation_statement_closed check ((state = 'closed') = (closed_at is not null))
);
-- One upload at a time per channel.
create unique index reconciliation_statement_loading on reconciliation_statement (channel) where state = 'loading';
create index reconciliation_statement_hash on reconciliation_statement (file_hash);
grant select, insert, update, delete on reconciliation_statement to hengfu_staff;

-- The lines of statements. No foreign key: it would check each of a million lines, and lines are removed in portions before their statement.
-- A line without a difference matches.
create table reconciliation_line (
  statement_id bigint not null,
  line_no integer not null,
  -- Our number; empty if the bank wrote none.
  reference text collate "C" not null,
  amount_minor bigint not null check (amount_minor <> 0),
  value_day date,
  bank_reference text not null default '',
  text text not null default '',
  primary key (statement_id, line_no)
);
create index reconciliation_line_reference on reconciliation_line (statement_id, reference);
grant select, insert, delete on reconciliation_line to hengfu_staff;

create table reconciliation_difference (
  id bigint generated always as identity primary key,
  statement_id bigint not null references reconciliation_statement,
  kind text not null check (kind in ('oursOnly', 'theirsOnly', 'amount', 'otherDay', 'duplicate')),
  state text not null default 'open' check (state in ('open', 'waiting', 'explained', 'adjusted')),
  reference text collate "C" not null,
  line_no integer,
  -- The amounts on this day; null on the side that has none.
  theirs_minor bigint,
  ours_minor bigint,
  -- The day on which the other side has it.
  other_day date,
  -- The order, as far as it is known. Not named merchant_id: the row belongs to no merchant.
  order_merchant bigint,
  order_no text,
  note text,
  -- Null for a decision of the matching itself.
  decided_by bigint references staff_user,
  decided_at timestamptz,
  constraint reconciliation_difference_side check (theirs_minor is not null or ours_minor is not null),
  constraint reconciliation_difference_line check ((theirs_minor is null) = (line_no is null))
);
create index reconciliation_difference_kind on reconciliation_difference (statement_id, kind, id);
create index reconciliation_difference_reference on reconciliation_difference (reference);
create index reconciliation_difference_unresolved on reconciliation_difference (statement_id) where state in ('open', 'waiting');
grant select, insert, update, delete on reconciliation_difference to hengfu_staff;

-- Backups read them.
grant select on reconciliation_mapping, reconciliation_statement, reconciliation_line, reconciliation_difference to hengfu_system;

grant select on reconciliation_statement, reconciliation_difference to hengfu_overview;
-- How many differences of a channel nobody has explained or adjusted yet, and the oldest day that has some.
create view staff_unmatched as
  select s.channel, count(*) as count, min(s.day) as oldest_day, min(s.uploaded_at) as since
  from reconciliation_difference d join reconciliation_statement s on s.id = d.statement_id
  where d.state in ('open', 'waiting')
  group by s.channel;
call give_view('staff_unmatched');

-- Days of archived months cannot be matched.
grant select on archived_month to hengfu_staff, hengfu_overview;

-- For staff_clearing_day and staff_clearing_of.
call open_to_overview('ledger_transfer', 'merchant_id, id, type, idempotency_key, subject_no, created_at');
