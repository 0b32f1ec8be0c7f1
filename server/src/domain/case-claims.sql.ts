import { claimMinutes } from '@hengfu/contract/staff/cases';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import type { StaffMember } from './caller.ts';
import { Refusal } from './refusal.ts';

/** Changes of claims concern our staff alone, and no merchant. */
const ofService = 0n;

/** An order that waits for our staff. */
export interface Case {
  tradeNo: string;
  status: string;
}

/** The member of our staff who works on a case. */
export interface Claim {
  staffId: bigint;
  name: string;
  at: Date;
}

/** The columns of a claim that a query has joined. */
export interface ClaimColumns {
  staff_id: bigint | null;
  staff_name: string | null;
  claimed_at: Date | null;
}

/** Whether a joined claim holds: in the state of its order, also joined, in which it was made, and for some minutes. */
export function heldClaim(claim: string, order: string) {
  return sql<boolean>`${sql.ref(`${claim}.status`)} = ${sql.ref(`${order}.status`)}
    and ${sql.ref(`${claim}.claimed_at`)} > now() - ${sql.lit(claimMinutes)} * interval '1 minute'`;
}

export function toClaim({ staff_id: staffId, staff_name: name, claimed_at: at }: ClaimColumns): Claim | null {
  return staffId === null || name === null || at === null ? null : { staffId, name, at };
}

/**
 * Takes a case for a member of our staff, or keeps it taken. A claim holds while the order stays in its state, and for some
 * minutes. Call it with the order's row locked. Throws `case_taken`, which names the person who has it.
 */
export async function claimCase(
  tx: MerchantTx,
  { tradeNo, status }: Case,
  { staffId }: StaffMember,
): Promise<void> {
  const taken = await tx.query
    .insertInto('case_claim')
    .values({ merchant_id: tx.merchantId, trade_no: tradeNo, status, staff_id: staffId })
    .onConflict((conflict) =>
      conflict
        .columns(['merchant_id', 'trade_no'])
        .doUpdateSet({ staff_id: staffId, status, claimed_at: sql<Date>`now()` })
        .where((eb) =>
          eb.or([
            eb('case_claim.staff_id', '=', staffId),
            eb('case_claim.status', '!=', status),
            eb(
              'case_claim.claimed_at',
              '<',
              sql<Date>`now() - ${claimMinutes}::integer * interval '1 minute'`,
            ),
          ]),
        ),
    )
    .returning('staff_id')
    .executeTakeFirst();
  if (!taken) throw new Refusal('case_taken', { values: { name: await nameOfClaimer(tx, tradeNo) } });
  tx.changed(ofService, 'caseClaims');
}

/** Gives a case back; returns false, and does nothing, if the person does not have it. */
export async function releaseCase(
  tx: MerchantTx,
  { tradeNo }: Pick<Case, 'tradeNo'>,
  { staffId }: StaffMember,
): Promise<boolean> {
  const result = await tx.query
    .deleteFrom('case_claim')
    .where('merchant_id', '=', tx.merchantId)
    .where('trade_no', '=', tradeNo)
    .where('staff_id', '=', staffId)
    .executeTakeFirst();
  if (result.numDeletedRows === 0n) return false;
  tx.changed(ofService, 'caseClaims');
  return true;
}

async function nameOfClaimer(tx: MerchantTx, tradeNo: string): Promise<string> {
  const row = await tx.query
    .selectFrom('staff_case_claim')
    .select('staff_name')
    .where('merchant_id', '=', tx.merchantId)
    .where('trade_no', '=', tradeNo)
    .executeTakeFirst();
  return row?.staff_name ?? '';
}
