-- Whether writing the demo data was begun and finished: what was cut short is written anew. The owner's alone.
create table demo_seed (
  begun_at timestamptz not null default now(),
  finished_at timestamptz
);
