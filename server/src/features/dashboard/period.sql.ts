import type { DashboardQuery } from '@hengfu/contract/dashboard';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { type Period, type Slot, slotsOf } from './slots.rules.ts';

const daysOf: Record<Exclude<DashboardQuery['period'], 'range'>, number> = { today: 1, days7: 7, days30: 30 };

/**
 * Reads the period, and its slots: its hours and those of the period before it, or their days if it has several, split where the
 * comparison ends. Slots begin and end with quarter-hours, as buckets do: so do the midnights of every zone. They follow each
 * other without gaps. The database knows only the midnights: with all slots, the statement took twice as long.
 */
export async function readPeriod(
  tx: MerchantTx,
  zone: string,
  { period, from, to }: DashboardQuery,
): Promise<{ period: Period; slots: Slot[] }> {
  const days = period === 'range' ? 1 : daysOf[period];
  const midnight = (day: RawBuilder<unknown>) => sql`(${day})::timestamp at time zone ${zone}`;
  const { rows } = await sql<Omit<Period, 'startsAt' | 'startsBefore'> & { midnights: Date[] }>`
    with moment as (
      select now() as now, (now() at time zone ${zone})::date as today
    ), ends as (
      select now, today, least(coalesce(${from ?? null}::date, today - ${days}::integer + 1), today) as first,
        least(coalesce(${to ?? null}::date, today), today) as last
      from moment
    ), period as materialized (
      select now, first, last, last - first + 1 as days,
        case when last = today then rollup_bucket(now) else ${midnight(sql`last + 1`)} end as cut
      from ends
    )
    select now, first::text as first, last::text as last, days, cut,
      (cut at time zone ${zone} - days * interval '1 day') at time zone ${zone} as "cutBefore",
      array(select ${midnight(sql`first - days + number`)} from generate_series(0, 2 * days) as number) as midnights
    from period`.execute(tx.prepared);
  const [row] = rows;
  const [startsBefore, startsAt] = [row?.midnights[0], row?.midnights[row.days]];
  if (!row || !startsBefore || !startsAt) throw new Error('the query for the period returned no midnights');
  const { midnights, ...rest } = row;
  const found = { ...rest, startsAt, startsBefore };
  return { period: found, slots: slotsOf(found, midnights) };
}
