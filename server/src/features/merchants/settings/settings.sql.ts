import { type LimitName, type SettlementCycle, type Weekday, weekdays } from '@hengfu/contract/staff/limits';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** Limits in minor units of the merchant's currency; null for none. */
export type Limits = Readonly<Record<LimitName, bigint | null>>;

/** When a merchant settles. `cutOff`: HH:MM in the merchant's zone; `weekday`: of a weekly cycle. */
export interface Settlement {
  cycle: SettlementCycle;
  weekday: Weekday | null;
  cutOff: string;
}

/** A settlement cycle that a merchant had, and the last cut-off that it planned. */
export interface PastSettlement extends Settlement {
  validUntil: Date;
}

/** Reads the limits of the transaction's merchant. */
export async function readLimits(tx: MerchantTx): Promise<Limits> {
  const { rows } = await sql<Limits>`
    select payout_limit_minor as payout, payout_day_limit_minor as "payoutsOfDay",
      withdrawal_day_limit_minor as "withdrawalsOfDay", collection_limit_minor as collection
    from merchant where id = ${tx.merchantId}`.execute(tx.query);
  const [limits] = rows;
  if (!limits) throw new Error(`no merchant ${tx.merchantId}`);
  return limits;
}

/** Reads when the transaction's merchant settles. */
export async function readSettlement(tx: MerchantTx): Promise<Settlement> {
  const { rows } = await sql<Omit<Settlement, 'weekday'> & { weekday: number | null }>`
    select settlement_cycle as cycle, settlement_weekday::integer as weekday, to_char(settlement_cut_off, 'HH24:MI') as "cutOff"
    from merchant where id = ${tx.merchantId}`.execute(tx.query);
  const [settlement] = rows;
  if (!settlement) throw new Error(`no merchant ${tx.merchantId}`);
  return { ...settlement, weekday: weekdayOf(settlement.weekday) };
}

/** Lists the settlement cycles that the transaction's merchant had before, the newest first. */
export async function listPastSettlements(tx: MerchantTx): Promise<PastSettlement[]> {
  const { rows } = await sql<Omit<PastSettlement, 'weekday'> & { weekday: number | null }>`
    select cycle, weekday::integer as weekday, to_char(cut_off, 'HH24:MI') as "cutOff", valid_until as "validUntil"
    from past_settlement_cycle where merchant_id = ${tx.merchantId}
    order by valid_until desc limit 100`.execute(tx.query);
  return rows.map((row) => ({ ...row, weekday: weekdayOf(row.weekday) }));
}

/** Sets the limits, if they still are as somebody has seen them. Returns false if they are not. */
export async function updateLimits(tx: MerchantTx, seen: Limits, limits: Limits): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update merchant set payout_limit_minor = ${limits.payout}, payout_day_limit_minor = ${limits.payoutsOfDay},
      withdrawal_day_limit_minor = ${limits.withdrawalsOfDay}, collection_limit_minor = ${limits.collection}
    where id = ${tx.merchantId} and payout_limit_minor is not distinct from ${seen.payout}::bigint
      and payout_day_limit_minor is not distinct from ${seen.payoutsOfDay}::bigint
      and withdrawal_day_limit_minor is not distinct from ${seen.withdrawalsOfDay}::bigint
      and collection_limit_minor is not distinct from ${seen.collection}::bigint`.execute(tx.query);
  return numAffectedRows === 1n;
}

/**
 * Sets when a merchant settles from its next cut-off on, likewise, and keeps the cycle that planned that cut-off. The cut-off that is planned stays.
 */
export async function updateSettlement(
  tx: MerchantTx,
  seen: Settlement,
  settlement: Settlement,
): Promise<boolean> {
  const { cycle, weekday, cutOff } = settlement;
  const { rows } = await sql<{ plannedAt: Date }>`
    update merchant set settlement_cycle = ${cycle}, settlement_weekday = ${numberOf(weekday)}::smallint,
      settlement_cut_off = ${cutOff}::time
    where id = ${tx.merchantId} and settlement_cycle = ${seen.cycle}
      and settlement_weekday is not distinct from ${numberOf(seen.weekday)}::smallint
      and to_char(settlement_cut_off, 'HH24:MI') = ${seen.cutOff}
    returning next_settlement_at as "plannedAt"`.execute(tx.query);
  const [changed] = rows;
  if (!changed) return false;
  // If the cycle changes again before that cut-off, the one in between plans nothing.
  await sql`
    insert into past_settlement_cycle (merchant_id, valid_until, cycle, weekday, cut_off)
    values (${tx.merchantId}, ${changed.plannedAt}, ${seen.cycle}, ${numberOf(seen.weekday)}::smallint, ${seen.cutOff}::time)
    on conflict do nothing`.execute(tx.query);
  return true;
}

/** The day of a number as the database has it. */
function weekdayOf(number: number | null): Weekday | null {
  return number === null ? null : (weekdays[number - 1] ?? null);
}

/** The number of a day as the database has it, from Monday (1). */
function numberOf(weekday: Weekday | null): number | null {
  return weekday === null ? null : weekdays.indexOf(weekday) + 1;
}
