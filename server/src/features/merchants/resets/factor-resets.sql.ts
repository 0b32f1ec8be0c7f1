import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';

/** Somebody who works for a merchant, with whether there is a second factor to reset. */
export interface ResettablePerson {
  name: string;
  email: string;
  hasFactor: boolean;
}

/** Finds somebody who works for a merchant. */
export async function findResettable(tx: MerchantTx, userId: bigint): Promise<ResettablePerson | undefined> {
  const { rows } = await sql<ResettablePerson>`
    select u.name, u.email,
      u.two_factor_confirmed_at is not null or exists (select from passkey k where k.user_id = u.id) as "hasFactor"
    from membership p join app_user u on u.id = p.user_id
    where p.merchant_id = ${tx.merchantId} and p.user_id = ${userId} and p.removed_at is null`.execute(
    tx.query,
  );
  return rows[0];
}

/** Whether any merchant that a person works for requires a second factor: also those that the transaction doesn't see. */
export async function isRequiredAnywhere(tx: Tx, userId: bigint): Promise<boolean> {
  const row = await tx.query
    .selectFrom('staff_factor_rule')
    .select('is_required')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.is_required ?? false;
}

/** Keeps the code of a person for its reader, in place of an earlier one, for a day. */
export async function saveCode(
  tx: MerchantTx,
  userId: bigint,
  { reader, sealed }: { reader: string; sealed: Buffer },
): Promise<void> {
  const kept = {
    about_merchant: tx.merchantId,
    reader,
    sealed,
    expires_at: sql<Date>`now() + interval '1 day'`,
  };
  await tx.query
    .insertInto('staff_code_handover')
    .values({ user_id: userId, ...kept })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(kept))
    .execute();
}

/** Deletes the code of a person: it is of no use any more. */
export async function dropCode(tx: Tx, userId: bigint): Promise<void> {
  await tx.query.deleteFrom('staff_code_handover').where('user_id', '=', userId).execute();
}

/** Takes the code that a reader has not seen yet, and deletes it. */
export async function takeCode(tx: MerchantTx, userId: bigint, reader: string): Promise<Buffer | undefined> {
  const row = await tx.query
    .deleteFrom('staff_code_handover')
    .where('about_merchant', '=', tx.merchantId)
    .where('user_id', '=', userId)
    .where('reader', '=', reader)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('sealed')
    .executeTakeFirst();
  return row?.sealed;
}

/** Deletes the codes that nobody has read in time. */
export async function deleteExpiredCodes(tx: Tx): Promise<void> {
  await tx.query.deleteFrom('staff_code_handover').where('expires_at', '<=', sql<Date>`now()`).execute();
}
