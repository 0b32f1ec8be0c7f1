import type { DashboardQuery } from '@hengfu/contract/dashboard';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { type Period, type Slot, type SlotColumns, slotsOf } from './slots.rules.ts';

const daysOf: Record<Exclude<DashboardQuery['period'], 'range'>, number> = { today: 1, days7: 7, days30: 30 };

/**
 * Reads the period, and its slots: its hours and those of the period before it, or their days if it has several, split where the
 * comparison ends. Slots begin and end with quarter-hours, as buckets do: so do the midnights of every zone. They follow each
 * other without gaps.
 */
export async function readPeriod(
  tx: MerchantTx,
  zone: string,
  { period, from, to }: DashboardQuery,
): Promise<{ period: Period; slots: Slot[] }> {
  const days = period === 'range' ? 1 : daysOf[period];
  const midnight = (day: RawBuilder<unknown>) => sql`(${day})::timestamp at time zone ${zone}`;
  const { rows } = await sql<Period & SlotColumns>`
    with moment as (
      select now() as now, (now() at time zone ${zone})::date as today
    ), ends as (
      select now, today, least(coalesce(${from ?? null}::date, today - ${days}::integer + 1), today) as first,
        least(coalesce(${to ?? null}::date, today), today) as last
      from moment
    ), period as materialized (
      select now, first, last, last - first + 1 as days, cut, ${midnight(sql`first`)} as starts,
        (cut at time zone ${zone} - (last - first + 1) * interval '1 day') at time zone ${zone} as cut_before,
        ${midnight(sql`first - (last - first + 1)`)} as starts_before
      from ends
      cross join lateral (
        select case when last = today then rollup_bucket(now) else ${midnight(sql`last + 1`)} end as cut) comparison
    ), slot as (
      select unit.starts as unit, greatest(unit.starts, part.since) as starts, least(unit.ends, part.until) as ends
      from period
      cross join lateral (values (false, 0, cut), (true, days, cut_before)) side (is_before, back, cut)
      cross join lateral generate_series(0, days - 1) as number
      cross join lateral (
        select ${midnight(sql`first - side.back + number`)} as starts, ${midnight(sql`first - side.back + number + 1`)} as ends) day
      cross join lateral (
        select starts, case when days = 1 then least(starts + interval '1 hour', day.ends) else day.ends end as ends
        from generate_series(day.starts, day.ends - interval '1 second',
          case when days = 1 then interval '1 hour' else interval '2 days' end) as hours (starts)) unit
      cross join lateral (values ('-infinity'::timestamptz, side.cut), (side.cut, 'infinity')) part (since, until)
      where greatest(unit.starts, part.since) < least(unit.ends, part.until) and (is_before or unit.starts <= now)
    )
    select now, first::text as first, last::text as last, days, cut, period.starts as "startsAt", cut_before as "cutBefore",
      starts_before as "startsBefore", units, slots.starts, slots.ends
    from period cross join (
      select array_agg(unit order by starts) as units, array_agg(starts order by starts) as starts,
        array_agg(ends order by starts) as ends
      from slot) slots`.execute(tx.prepared);
  const [row] = rows;
  if (!row) throw new Error('the query for the period returned no row');
  return { period: row, slots: slotsOf(row, row) };
}
