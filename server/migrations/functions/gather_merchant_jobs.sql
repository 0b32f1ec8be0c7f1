-- Moves due jobs from the queue into merchant_job: jobs of tasks[i] into lines[i]. Returns how many. A waiting job with the
-- same key is replaced, as in the queue. The target of a job whose payload names none is its channel: that of the payload, or of the
-- order. For test merchants, whom a test adapter serves, the channel is a target of its own, so that they use no slots of live ones.
-- Jobs of a retired merchant end here, also those that were delayed until now, or that a job added that was running when it was retired.
create or replace function gather_merchant_jobs(tasks text[], lines text[], most integer) returns integer
  language sql volatile set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  as $$
    with taken as materialized (
      select t.*, case when t.payload ->> 'merchantId' ~ '^\d{1,18}$' then (t.payload ->> 'merchantId')::bigint else 0 end
        as merchant_id
      from take_due_jobs(tasks, most) t
    ), placed as (
      insert into merchant_job as j (line, merchant_id, target, host, task, key, payload, due_at, attempts)
      select lines[array_position(tasks, t.task)], t.merchant_id,
        coalesce(t.payload ->> 'target',
          case when (select m.mode from merchant m where m.id = t.merchant_id) = 'test' then 'test:' else '' end
            || coalesce(t.payload ->> 'channel', o.channel), ''),
        coalesce(t.payload ->> 'host', ''), t.task, t.key, t.payload, t.due_at, t.attempts
      from taken t
      left join lateral (
        -- The indexes of the numbers begin with the merchant.
        select p.channel from payout p where p.merchant_id = t.merchant_id and p.trade_no = t.payload ->> 'tradeNo'
        union all
        select c.channel from collection c where c.merchant_id = t.merchant_id and c.trade_no = t.payload ->> 'tradeNo'
        limit 1) o on true
      where not exists (select from merchant m where m.id = t.merchant_id and m.retired_at is not null)
      -- In the order in which workers return failed jobs, so that neither waits for the other.
      order by t.key collate "C"
      on conflict (key) where worker is null do update set
        payload = excluded.payload, task = excluded.task, line = excluded.line, merchant_id = excluded.merchant_id,
        target = excluded.target, host = excluded.host, due_at = excluded.due_at
    )
    select count(*)::integer from taken
  $$;
revoke execute on function gather_merchant_jobs from public;
grant execute on function gather_merchant_jobs to hengfu_system;
