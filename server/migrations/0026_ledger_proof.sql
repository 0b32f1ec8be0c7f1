-- When the ledger and the rollups were last proved against the orders, and what was found.
create table ledger_proof (
  id bigint generated always as identity primary key,
  begun_at timestamptz not null,
  ended_at timestamptz not null default clock_timestamp(),
  violation_count integer not null,
  -- The first of them: rule and detail.
  examples jsonb not null default '[]'
);
grant select, insert on ledger_proof to hengfu_system;
