-- Which workers are alive: the jobs of one that has not been heard of are taken up by the others. The owner's alone,
-- as the queue is.
create table job_worker (
  pool_id text primary key,
  seen_at timestamptz not null default now()
);
