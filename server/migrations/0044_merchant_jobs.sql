-- Work that belongs to a merchant is done in fair turns. The job queue stays the inbox: whatever plans a job goes on
-- doing so there, and a version before this one finds it there. Once a job is due, it is moved into this table, from
-- which workers claim one job of each merchant after the other, so that a long backlog delays its own merchant alone.
create table merchant_job (
  id bigint generated always as identity primary key,
  -- Jobs of one line share the slots of a worker.
  line text not null,
  -- 0 where the job names none. No foreign key: a job must not fail before its task has seen it.
  merchant_id bigint not null,
  -- What the job calls: the origin of a callback, the channel of a payout; empty where it calls nothing.
  target text not null,
  -- Hash of the target. A worker looks for a merchant's next job from a random lane on, so that no target is favoured.
  lane bigint not null generated always as (hashtextextended(target, 0)) stored,
  -- What several merchants' targets may share: a host.
  host text not null,
  task text not null,
  key text,
  payload json not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  last_error text,
  -- Claimed to find out whether a target that did not answer does so again.
  is_trial boolean not null default false,
  -- The worker that does it, until when. A worker renews its leases; those of a dead one expire.
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

-- A target that a merchant's jobs get no answer from. It belongs to the merchant: what one merchant's jobs meet at
-- somebody's host changes nothing for the others' jobs.
create table merchant_breaker (
  merchant_id bigint not null references merchant,
  target text not null,
  -- In a row.
  failures integer not null,
  -- Null while the target is still called as any other. Once the time is over, one job tries again.
  open_until timestamptz,
  failed_at timestamptz not null default now(),
  primary key (merchant_id, target)
);
create index merchant_breaker_old on merchant_breaker (failed_at);
call protect_tenant_table('merchant_breaker');
grant select, insert, update, delete on merchant_breaker to hengfu_system;

-- Takes due jobs of some tasks out of the queue, whose tables are the owner's. They belong to whoever called.
create function take_due_jobs(tasks text[], most integer)
  returns table (task text, key text, payload json, due_at timestamptz, attempts integer)
  language sql volatile security definer set search_path = public, pg_temp
  -- A plan that was made while tables were small must serve when they are big.
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
  as $$
    with due as materialized (
      select j.id, t.identifier
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where j.is_available and j.run_at <= now() and j.job_queue_id is null and t.identifier = any (tasks)
      order by j.priority, j.run_at limit most for update of j skip locked)
    delete from graphile_worker._private_jobs j using due where j.id = due.id
    returning due.identifier, j.key, j.payload, j.run_at, j.attempts::integer
  $$;
revoke execute on function take_due_jobs from public;
grant execute on function take_due_jobs to hengfu_system;

-- Moves due jobs from the queue into their lines: jobs of tasks[i] into lines[i]. Returns how many. A job that waits
-- under the same key is replaced, as in the queue. An order's channel is looked up: the intake does not name it.
create function gather_merchant_jobs(tasks text[], lines text[], most integer) returns integer
  language sql volatile set search_path = public, pg_temp
  -- A plan that was made while tables were small must serve when they are big.
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
  as $$
    with taken as materialized (
      select t.*, case when t.payload ->> 'merchantId' ~ '^\d{1,18}$' then (t.payload ->> 'merchantId')::bigint else 0 end
        as merchant_id
      from take_due_jobs(tasks, most) t
    ), placed as (
      insert into merchant_job as j (line, merchant_id, target, host, task, key, payload, due_at, attempts)
      select lines[array_position(tasks, t.task)], t.merchant_id, coalesce(t.payload ->> 'target', o.channel, ''),
        coalesce(t.payload ->> 'host', ''), t.task, t.key, t.payload, t.due_at, t.attempts
      from taken t
      left join lateral (
        select p.channel from payout p where p.trade_no = t.payload ->> 'tradeNo'
        union all
        select c.channel from collection c where c.trade_no = t.payload ->> 'tradeNo' limit 1) o on true
      on conflict (key) where worker is null do update set
        payload = excluded.payload, task = excluded.task, line = excluded.line, merchant_id = excluded.merchant_id,
        target = excluded.target, host = excluded.host, due_at = excluded.due_at
    )
    select count(*)::integer from taken
  $$;
revoke execute on function gather_merchant_jobs from public;
grant execute on function gather_merchant_jobs to hengfu_system;

-- Gives a job back that a worker failed to do, or to report; one that waits under the same key takes its place.
create function return_merchant_job(job_id bigint, at timestamptz, error text) returns void
  language plpgsql volatile set search_path = public, pg_temp
  as $$
begin
  delete from merchant_job j
    where j.id = job_id and exists (select from merchant_job w where w.key = j.key and w.worker is null);
  update merchant_job set worker = null, claimed_at = null, leased_until = null, due_at = at, last_error = coalesce(error, last_error)
    where id = job_id;
end $$;
revoke execute on function return_merchant_job from public;
grant execute on function return_merchant_job to hengfu_system;

-- Gives back the jobs whose lease has expired: their worker is dead, or was cut off. Returns how many.
create function release_merchant_jobs() returns integer
  language plpgsql volatile set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
  as $$
declare
  expired bigint;
  released integer := 0;
begin
  for expired in
    select id from merchant_job where worker is not null and leased_until < now() order by id for update skip locked
  loop
    perform return_merchant_job(expired, now(), null);
    released := released + 1;
  end loop;
  return released;
end $$;
revoke execute on function release_merchant_jobs from public;
grant execute on function release_merchant_jobs to hengfu_system;

-- Claims up to `free` due jobs of a line for a worker: one of each merchant in the order of their ids, beginning behind
-- `after_merchant`, then one more of each. Of what this worker holds, a merchant has at most `per_merchant`, a target at
-- most `per_target` and a host at most `per_host`. The last `reserved` free slots, and the last third of what a target or
-- a host may have, go to merchants that hold none there.
create function claim_merchant_jobs(
  line_name text, worker_id uuid, free integer, reserved integer, per_merchant integer, per_target integer,
  per_host integer, after_merchant bigint, lease_seconds integer
) returns setof merchant_job
  language plpgsql volatile set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
  as $$
declare
  merchant bigint := after_merchant;
  following bigint;
  has_wrapped boolean := false;
  claimed integer := 0;
  held integer;
  job merchant_job;
begin
  while free > 0 loop
    select j.merchant_id into following from merchant_job j
      where j.line = line_name and j.worker is null and j.merchant_id > merchant
      order by j.merchant_id limit 1;
    if following is null or (has_wrapped and following > after_merchant) then
      -- A round is over: another one makes sense where this one found anything.
      exit when has_wrapped and claimed = 0;
      if has_wrapped then
        claimed := 0;
        has_wrapped := false;
        merchant := after_merchant;
      else
        has_wrapped := true;
        merchant := -1;
      end if;
      continue;
    end if;
    merchant := following;
    select count(*) into held from merchant_job j
      where j.worker = worker_id and j.line = line_name and j.merchant_id = merchant;
    continue when held >= per_merchant or (held > 0 and free <= reserved);
    job := claim_job_of_merchant(line_name, worker_id, merchant, per_target, per_host, lease_seconds);
    continue when job.id is null;
    free := free - 1;
    claimed := claimed + 1;
    return next job;
  end loop;
end $$;

-- One due job of a merchant, or nulls. Looks at up to 64 of its targets, from a random one on.
create function claim_job_of_merchant(
  line_name text, worker_id uuid, merchant bigint, per_target integer, per_host integer, lease_seconds integer
) returns merchant_job
  language plpgsql volatile set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off
  as $$
declare
  first_lane bigint := ((random() - 0.5) * 1.8e19)::bigint;
  behind bigint := first_lane;
  has_wrapped boolean := false;
  is_failing boolean;
  at_target integer;
  at_host integer;
  is_at_target boolean;
  is_at_host boolean;
  next_job merchant_job;
  job merchant_job;
begin
  for look in 1..64 loop
    select * into next_job from merchant_job j
      where j.line = line_name and j.merchant_id = merchant and j.worker is null and j.lane > behind
      order by j.lane, j.due_at limit 1;
    if next_job.id is null or (has_wrapped and next_job.lane > first_lane) then
      exit when has_wrapped;
      has_wrapped := true;
      behind := -9223372036854775808;
      continue;
    end if;
    behind := next_job.lane;
    continue when next_job.due_at > now();
    select count(*) filter (where j.target = next_job.target), count(*) filter (where j.host = next_job.host),
        coalesce(bool_or(j.target = next_job.target and j.merchant_id = merchant), false),
        coalesce(bool_or(j.host = next_job.host and j.merchant_id = merchant), false)
      into at_target, at_host, is_at_target, is_at_host
      from merchant_job j where j.worker = worker_id and j.line = line_name;
    continue when next_job.target <> '' and at_target >= case when is_at_target then per_target * 2 / 3 else per_target end;
    continue when next_job.host <> '' and at_host >= case when is_at_host then per_host * 2 / 3 else per_host end;
    is_failing := exists (
      select from merchant_breaker b
      where b.merchant_id = merchant and b.target = next_job.target and b.open_until is not null);
    if is_failing then
      -- Whoever comes first tries; should its worker die meanwhile, another one tries a lease later.
      update merchant_breaker b set open_until = now() + lease_seconds * interval '1 second'
        where b.merchant_id = merchant and b.target = next_job.target and b.open_until <= now();
      continue when not found;
    end if;
    update merchant_job set worker = worker_id, claimed_at = now(), attempts = attempts + 1, is_trial = is_failing,
        leased_until = now() + lease_seconds * interval '1 second'
      where id = (
        select j.id from merchant_job j
        where j.line = line_name and j.merchant_id = merchant and j.worker is null and j.lane = next_job.lane
          and j.due_at <= now()
        order by j.due_at limit 1 for update skip locked)
      returning * into job;
    exit when job.id is not null;
  end loop;
  return job;
end $$;
revoke execute on function claim_merchant_jobs, claim_job_of_merchant from public;
grant execute on function claim_merchant_jobs, claim_job_of_merchant to hengfu_system;

-- How long the oldest due job, and the oldest due callback, have waited for a worker; null where none is due. What waits
-- behind other jobs of its own merchant, or for a server that does not answer, is in nobody's way and does not count, but
-- for calls of channels: a payout that waits is late for whatever reason.
create function work_delays() returns table (job_seconds double precision, callback_seconds double precision)
  language sql stable set search_path = public, pg_temp
  as $$
    with waiting as (
      select j.line = 'callbacks' as is_callback, min(j.due_at) as due_at
      from merchant_job j
      where j.worker is null and j.due_at <= now()
        and (j.line = 'channels' or not exists (
          select from merchant_job h where h.worker is not null and h.line = j.line and h.merchant_id = j.merchant_id))
        and not exists (
          select from merchant_breaker b
          where b.merchant_id = j.merchant_id and b.target = j.target and b.open_until is not null)
      group by 1)
    select greatest(d.job_seconds, extract(epoch from now() - (select min(due_at) from waiting)))::double precision,
      greatest(d.callback_seconds,
        extract(epoch from now() - (select min(due_at) from waiting where is_callback)))::double precision
    from job_delays() d
  $$;
revoke execute on function work_delays from public;
grant execute on function work_delays to hengfu_system;
