import { type ExportPeriod, maxSchedules } from '@hengfu/contract/export-schedules';
import { type Selectable, sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import type { Schema } from '#db/schema.ts';
import { holdCount } from '#domain/quota.sql.ts';

export type Schedule = Selectable<Schema['export_schedule']>;
export type NewSchedule = Omit<Schedule, 'id' | 'merchant_id' | 'next_at' | 'created_at' | 'filters'> & {
  filters: Record<string, string>;
};

/** Lists the merchant's schedules by their next run. */
export function listSchedules(tx: MerchantTx): Promise<Schedule[]> {
  return tx.query
    .selectFrom('export_schedule')
    .selectAll()
    .where('merchant_id', '=', tx.merchantId)
    .orderBy('next_at')
    .orderBy('id')
    .execute();
}

/** Adds a schedule, due at the end of the current period. Returns undefined if the limit is reached. */
export async function insertSchedule(tx: MerchantTx, given: NewSchedule): Promise<Schedule | undefined> {
  await holdCount(tx, `schedules ${tx.merchantId}`);
  if ((await listSchedules(tx)).length >= maxSchedules) return undefined;
  return tx.query
    .insertInto('export_schedule')
    .values({
      ...given,
      merchant_id: tx.merchantId,
      filters: JSON.stringify(given.filters),
      next_at: nextStart(given.every, sql`now()`, given.zone),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes a schedule. Returns undefined if there is none. */
export function deleteSchedule(tx: MerchantTx, id: bigint) {
  return tx.query
    .deleteFrom('export_schedule')
    .where('merchant_id', '=', tx.merchantId)
    .where('id', '=', id)
    .returning(['name', 'list', 'every'])
    .executeTakeFirst();
}

/** Finds schedules whose period is over. */
export function findDue(tx: Tx) {
  return tx.query
    .selectFrom('export_schedule')
    .select(['merchant_id', 'id'])
    .where('next_at', '<=', sql<Date>`now()`)
    .execute();
}

/**
 * Locks a schedule whose period is over and advances it to the next one. Returns it with the ended period and
 * its days; undefined if it is not due.
 */
export async function takeDue(
  tx: MerchantTx,
  id: bigint,
): Promise<(Schedule & { from: Date; to: Date; firstDay: string; lastDay: string }) | undefined> {
  const { rows } = await sql<Schedule & { from: Date; to: Date; firstDay: string; lastDay: string }>`
    with due as (
      select *, period_start(every, next_at, zone, -1) as "from", next_at as "to"
      from export_schedule
      where merchant_id = ${tx.merchantId} and id = ${id} and next_at <= now() for update
    ), moved as (
      update export_schedule s set next_at = period_start(s.every, s.next_at, s.zone, 1)
      from due where s.merchant_id = due.merchant_id and s.id = due.id
    )
    select *, to_char("from" at time zone zone, 'YYYY-MM-DD') as "firstDay",
      to_char("to" at time zone zone - interval '1 day', 'YYYY-MM-DD') as "lastDay" from due`.execute(
    tx.query,
  );
  return rows[0];
}

function nextStart(every: ExportPeriod, at: ReturnType<typeof sql>, zone: string) {
  return sql<Date>`period_start(${every}, ${at}, ${zone}, 1)`;
}
