import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { unlockCodeSeconds } from '#http/session.rules.ts';

/** A user as the service's staff finds one. */
export interface FoundUser {
  id: bigint;
  merchantId: bigint;
  email: string;
}

/** The user with an email (lower-cased before), held until the transaction ends. */
export async function lockUser(tx: Tx, email: string): Promise<FoundUser | undefined> {
  const row = await tx.query
    .selectFrom('app_user')
    .select(['id', 'merchant_id', 'email'])
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirst();
  return row && { id: row.id, merchantId: row.merchant_id, email: row.email };
}

/** Forgets a user's second factors, whatever they are, and the recovery codes. */
export async function clearSecondFactors(tx: Tx, { id, merchantId }: FoundUser): Promise<void> {
  await tx.query
    .updateTable('app_user')
    .set({
      two_factor_secret: null,
      two_factor_confirmed_at: null,
      two_factor_last_step: null,
      recovery_codes: null,
    })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute();
  await tx.query
    .deleteFrom('passkey')
    .where('merchant_id', '=', merchantId)
    .where('user_id', '=', id)
    .execute();
}

/** Keeps an unlock code by its hash; an earlier one counts no more. */
export async function putUnlockCode(tx: Tx, { id, merchantId }: FoundUser, codeHash: Buffer): Promise<void> {
  const expires_at = sql<Date>`now() + ${unlockCodeSeconds} * interval '1 second'`;
  await tx.query
    .insertInto('unlock_code')
    .values({ user_id: id, merchant_id: merchantId, code_hash: codeHash, expires_at })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ code_hash: codeHash, expires_at }))
    .execute();
}
