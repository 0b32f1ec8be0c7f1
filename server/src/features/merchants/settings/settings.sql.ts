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
  const { weekday } = settlement;
  return { ...settlement, weekday: weekday === null ? null : (weekdays[weekday - 1] ?? null) };
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

/** Sets when a merchant settles from its next cut-off on, likewise. The cut-off that is planned stays. */
export async function updateSettlement(
  tx: MerchantTx,
  seen: Settlement,
  settlement: Settlement,
): Promise<boolean> {
  const { cycle, weekday, cutOff } = settlement;
  const { numAffectedRows } = await sql`
    update merchant set settlement_cycle = ${cycle}, settlement_weekday = ${numberOf(weekday)}::smallint,
      settlement_cut_off = ${cutOff}::time
    where id = ${tx.merchantId} and settlement_cycle = ${seen.cycle}
      and settlement_weekday is not distinct from ${numberOf(seen.weekday)}::smallint
      and to_char(settlement_cut_off, 'HH24:MI') = ${seen.cutOff}`.execute(tx.query);
  return numAffectedRows === 1n;
}

/** The number of a day as the database has it, from Monday (1). */
function numberOf(weekday: Weekday | null): number | null {
  return weekday === null ? null : weekdays.indexOf(weekday) + 1;
}
