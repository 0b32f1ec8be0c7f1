-- Jobs of merchants, scheduled fairly between them, and callbacks to merchants' systems.

-- Heartbeats of the workers. The jobs of one that has gone silent are taken over by the others. For the owner only, like
-- the queue.
create table job_worker (
  pool_id text primary key,
  seen_at timestamptz not null default now()
);

-- Due jobs of merchants. Jobs are planned in the job queue; once due, they are moved here, where workers claim them from
-- one merchant after the other. So a long backlog delays its own merchant only.
create table merchant_job (
  id bigint generated always as identity primary key,
  -- Jobs of one line share a worker's slots.
  line text not null,
  -- 0 if the job names none. No foreign key: a job must not fail before its task runs.
  merchant_id bigint not null,
  -- The target of the job's calls: the origin of a callback, the channel of a payout. Empty if it calls nothing.
  target text not null,
  -- Hash of the target. A worker looks for a merchant's next job starting at a random lane, so no target is favored.
  lane bigint not null generated always as (hashtextextended(target, 0)) stored,
  -- The target's host, which several merchants' targets may share.
  host text not null,
  task text not null,
  key text,
  payload json not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  last_error text,
  -- Claimed as a probe of a target that did not respond before.
  is_trial boolean not null default false,
  -- The worker that holds the lease. Workers renew their leases; those of a dead worker expire.
  worker uuid,
  claimed_at timestamptz,
  leased_until timestamptz,
  constraint merchant_job_lease check (num_nulls(worker, claimed_at, leased_until) in (0, 3))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_insert_threshold = -1);
create index merchant_job_waiting on merchant_job (line, merchant_id, lane, due_at) where worker is null;
create unique index merchant_job_key on merchant_job (key) where worker is null;
create index merchant_job_held on merchant_job (worker, line, merchant_id) where worker is not null;
create index merchant_job_leased on merchant_job (leased_until) where worker is not null;
call protect_tenant_table('merchant_job');
grant select, insert, update, delete on merchant_job to hengfu_system;

-- Circuit breakers: targets that do not respond to a merchant's jobs. Each belongs to one merchant, so failures of one
-- merchant's callbacks to a host do not affect another merchant's.
create table merchant_breaker (
  merchant_id bigint not null references merchant,
  target text not null,
  -- Consecutive failures.
  failures integer not null,
  -- Null while the breaker is closed. After this time, one job probes the target.
  open_until timestamptz,
  failed_at timestamptz not null default now(),
  primary key (merchant_id, target)
);
create index merchant_breaker_old on merchant_breaker (failed_at);
call protect_tenant_table('merchant_breaker');
grant select, insert, update, delete on merchant_breaker to hengfu_system;

-- Messages to merchants' systems (Standard Webhooks), and every attempt to deliver them.
create table callback_message (
  id uuid not null default gen_random_uuid(),
  merchant_id bigint not null references merchant,
  subject_kind text not null,
  subject_no text not null,
  event text not null,
  url text not null,
  body text not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  delivered_at timestamptz,
  given_up_at timestamptz,
  primary key (merchant_id, id)
);
create index callback_message_subject on callback_message (merchant_id, subject_no);
call protect_tenant_table('callback_message');
grant select, insert, update on callback_message to hengfu_app, hengfu_system;

-- An attempt is stored by the transaction that raises `attempts` of its message by one: nothing else makes it unique.
create table callback_attempt (
  merchant_id bigint not null,
  message_id uuid not null,
  attempt integer not null,
  at timestamptz not null default now(),
  http_status integer,
  error text,
  duration_ms integer not null,
  -- Why the callback got no answer, as a code that the console translates. `error` has the technical text for support.
  failure text,
  primary key (merchant_id, message_id, attempt, at),
  foreign key (merchant_id, message_id) references callback_message
) partition by range (at);
call protect_tenant_table('callback_attempt');
grant select, insert on callback_attempt to hengfu_app, hengfu_system;
