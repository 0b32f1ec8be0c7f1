import { claimMinutes } from '@hengfu/contract/staff/topup-reviews';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import type { StaffMember } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Topup } from '../topups.sql.ts';

/** Changes of claims concern our staff alone, and no merchant. */
const ofService = 0n;

/**
 * Takes a top-up for a member of our staff, or keeps it taken. A claim holds while the top-up stays in its state, and for some
 * minutes. Call it with the top-up's row locked. Throws `case_taken`, which names the person who has it.
 */
export async function claimTopup(
  tx: MerchantTx,
  { id, status }: Pick<Topup, 'id' | 'status'>,
  { staffId }: StaffMember,
): Promise<void> {
  const taken = await tx.query
    .insertInto('topup_claim')
    .values({ merchant_id: tx.merchantId, topup_id: id, status, staff_id: staffId })
    .onConflict((conflict) =>
      conflict
        .columns(['merchant_id', 'topup_id'])
        .doUpdateSet({ staff_id: staffId, status, claimed_at: sql<Date>`now()` })
        .where((eb) =>
          eb.or([
            eb('topup_claim.staff_id', '=', staffId),
            eb('topup_claim.status', '!=', status),
            eb(
              'topup_claim.claimed_at',
              '<',
              sql<Date>`now() - ${claimMinutes}::integer * interval '1 minute'`,
            ),
          ]),
        ),
    )
    .returning('staff_id')
    .executeTakeFirst();
  if (!taken) throw new Refusal('case_taken', { values: { name: await nameOfClaimer(tx, id) } });
  tx.changed(ofService, 'topupClaims');
}

/** Gives a top-up back; returns false, and does nothing, if the person does not have it. */
export async function releaseTopup(
  tx: MerchantTx,
  { id }: Pick<Topup, 'id'>,
  { staffId }: StaffMember,
): Promise<boolean> {
  const result = await tx.query
    .deleteFrom('topup_claim')
    .where('merchant_id', '=', tx.merchantId)
    .where('topup_id', '=', id)
    .where('staff_id', '=', staffId)
    .executeTakeFirst();
  if (result.numDeletedRows === 0n) return false;
  tx.changed(ofService, 'topupClaims');
  return true;
}

async function nameOfClaimer(tx: MerchantTx, topupId: bigint): Promise<string> {
  const row = await tx.query
    .selectFrom('staff_topup_claim')
    .select('staff_name')
    .where('merchant_id', '=', tx.merchantId)
    .where('topup_id', '=', topupId)
    .executeTakeFirst();
  return row?.staff_name ?? '';
}
