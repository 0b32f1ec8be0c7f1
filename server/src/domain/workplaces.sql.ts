import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** A merchant that a person works for, active or suspended. */
export interface WorkplaceRow {
  merchantId: bigint;
  code: string;
  name: string;
  /** The merchant requires a second factor. */
  isFactorRequired: boolean;
  /** The merchant that the person chose last. */
  isLastUsed: boolean;
  /** The person's membership is suspended. */
  isMemberSuspended: boolean;
  /** Neither the merchant nor the membership is suspended. */
  isAvailable: boolean;
}

/**
 * Selects the merchant that a person is offered first when signing in, as `m`; for a lateral join. The limit keeps the planner from
 * joining the whole view, that is the memberships of everybody.
 */
export function workplaceOf(userId: 'u.id' | 'p.user_id') {
  return sql<FirstWorkplace>`(
    select merchant_id, requires_two_factor, is_one_of_several from workplace
    where user_id = ${sql.ref(userId)} limit 1)`.as('m');
}

interface FirstWorkplace {
  merchant_id: bigint;
  requires_two_factor: boolean;
  /** There are others to choose from. */
  is_one_of_several: boolean;
}

/** Lists the merchants that a person works for, without test merchants: the one chosen last, then by name. */
export async function listWorkplaces(tx: Tx, userId: bigint): Promise<WorkplaceRow[]> {
  const { rows } = await sql<WorkplaceRow>`
    select ${workplaceColumns} ${workplaceTables}
    where p.user_id = ${userId} and p.removed_at is null and m.mode = 'live'
    order by "isLastUsed" desc, m.name, m.code`.execute(tx.query);
  return rows;
}

/** Reads a merchant, live or test, as somewhere that a person works; undefined if the person does not. */
export async function readWorkplace(
  tx: Tx,
  userId: bigint,
  merchantId: bigint,
): Promise<WorkplaceRow | undefined> {
  const { rows } = await sql<WorkplaceRow>`
    select ${workplaceColumns} ${workplaceTables}
    where p.user_id = ${userId} and p.merchant_id = ${merchantId} and p.removed_at is null`.execute(tx.query);
  return rows[0];
}

const workplaceColumns = sql`m.id as "merchantId", m.code, m.name, m.requires_two_factor as "isFactorRequired",
      coalesce(m.id = u.last_merchant_id, false) as "isLastUsed",
      p.disabled_at is not null as "isMemberSuspended",
      p.disabled_at is null and m.suspended_at is null as "isAvailable"`;
const workplaceTables = sql`from membership p join merchant m on m.id = p.merchant_id join app_user u on u.id = p.user_id`;

/** Whether another merchant that a person works for, active or suspended, requires a second factor. */
export async function isFactorRequiredElsewhere(
  tx: Tx,
  userId: bigint,
  merchantId: bigint,
): Promise<boolean> {
  const all = await listWorkplaces(tx, userId);
  return all.some((workplace) => workplace.isFactorRequired && workplace.merchantId !== merchantId);
}

/** Stores which merchant a person has chosen, so that it is offered first. The account must be locked. */
export async function noteChosen(tx: Tx, userId: bigint, merchantId: bigint): Promise<void> {
  await tx.query
    .updateTable('app_user')
    .set({ last_merchant_id: merchantId })
    .where('id', '=', userId)
    .execute();
}
