import { channelHours } from '@hengfu/contract/staff/today';
import {
  historyDays,
  type SampledState,
  type StatusComponent,
  type StatusDay,
  statusComponents,
} from '@hengfu/contract/status';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { samplesInARow } from './status.rules.ts';

/** Locks the history until the transaction ends: one sampler at a time in the whole installation. */
export async function lockHistory(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(7305003)`.execute(tx.query);
}

/** The sampled state of one component. */
export interface Sample {
  component: StatusComponent;
  state: SampledState;
}

/** Adds samples of this minute, also to the history. A component that already has one keeps it. */
export async function addSamples(tx: Tx, samples: readonly Sample[]): Promise<void> {
  await sql`
    with noted as (
      insert into status_sample (component, minute, state)
      select g.component, date_trunc('minute', now()), g.state
      from jsonb_to_recordset(${JSON.stringify(samples)}::jsonb) as g (component text, state text)
      on conflict do nothing returning component, minute, state)
    ${intoHistory}`.execute(tx.query);
}

/**
 * Records that the database was unreachable from `secondsAgo` until now: each minute that was at least half
 * lost, unless another process took a sample in it.
 */
export async function addOutage(tx: Tx, secondsAgo: number): Promise<void> {
  await sql`
    with noted as (
      insert into status_sample (component, minute, state)
      select 'database', minute, 'down' from generate_series(
        date_trunc('minute', now() - ${secondsAgo}::double precision * interval '1 second' + interval '30 seconds'),
        date_trunc('minute', now() - interval '30 seconds'), interval '1 minute') as minute
      on conflict do nothing returning component, minute, state)
    ${intoHistory}`.execute(tx.query);
}

const intoHistory = sql`
  insert into status_quarter as q (component, bucket, operational, degraded, down)
  select component, rollup_bucket(minute), count(*) filter (where state = 'operational'),
    count(*) filter (where state = 'degraded'), count(*) filter (where state = 'down')
  from noted group by 1, 2
  on conflict (component, bucket) do update set operational = q.operational + excluded.operational,
    degraded = q.degraded + excluded.degraded, down = q.down + excluded.down`;

/** Reads the last samples of each component, newest first. */
export async function readLastSamples(tx: Tx): Promise<Map<StatusComponent, SampledState[]>> {
  const { rows } = await sql<{ component: StatusComponent; states: SampledState[] }>`
    select c as component, array(select state from status_sample s where s.component = c
      order by minute desc limit ${samplesInARow}) as states
    from unnest(${[...statusComponents]}::text[]) as c`.execute(tx.query);
  return new Map(rows.map(({ component, states }) => [component, states]));
}

/** Finds when the last sample was taken; null before the first. */
export async function findLastSample(tx: Tx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(minute) as at from status_sample where component = 'database'`.execute(tx.prepared);
  return rows[0]?.at ?? null;
}

/** Whether no sample was taken for three minutes. */
export async function isSampleOverdue(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ overdue: boolean }>`
    select coalesce(max(minute) < now() - interval '3 minutes', true) as overdue
    from status_sample where component = 'database'`.execute(tx.query);
  return rows[0]?.overdue === true;
}

/** Reads the measured days of components in a zone, oldest first. */
export async function readDays(
  tx: Tx,
  components: readonly StatusComponent[],
  zone: string,
): Promise<Map<StatusComponent, StatusDay[]>> {
  const { rows } = await sql<StatusDay & { component: StatusComponent }>`
    select component, day::text, measured, degraded, down from (
      select component, (bucket at time zone ${zone})::date as day, sum(operational + degraded + down)::integer as measured,
        sum(degraded)::integer as degraded, sum(down)::integer as down
      from status_quarter
      where component = any(${[...components]}::text[])
        and bucket >= ((now() at time zone ${zone})::date - ${historyDays - 1}::integer)::timestamp at time zone ${zone}
      group by 1, 2) days
    order by day`.execute(tx.query);
  return Map.groupBy(rows, ({ component }) => component);
}

/** Reads the database's clock: now, and today's date in a zone. */
export async function readClock(tx: Tx, zone: string): Promise<{ now: Date; today: string }> {
  const { rows } = await sql<{ now: Date; today: string }>`
    select now(), (now() at time zone ${zone})::date::text as today`.execute(tx.query);
  const [clock] = rows;
  if (!clock) throw new Error('the database returned no time');
  return clock;
}

/** Deletes rows that are past their retention. */
export async function prune(tx: Tx): Promise<void> {
  const all = sql`component = any(${[...statusComponents]}::text[])`;
  await sql`delete from request_minute where minute < now() - interval '2 hours'`.execute(tx.query);
  // The back office shows half a day by the hour.
  await sql`delete from channel_minute where minute < now() - ${channelHours + 1} * interval '1 hour'`.execute(
    tx.query,
  );
  await sql`delete from status_sample where ${all} and minute < now() - interval '2 days'`.execute(tx.query);
  // One extra day, because the oldest day may still be shown in some zone.
  await sql`delete from status_quarter
    where ${all} and bucket < now() - ${historyDays + 1} * interval '1 day'`.execute(tx.query);
  await sql`delete from status_incident where ended_at < now() - ${historyDays} * interval '1 day'`.execute(
    tx.query,
  );
}
