import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Person } from '#domain/caller.ts';
import { assertOpen } from '#http/session.sql.ts';

/** Whose second factor it is. */
export interface Owner {
  merchantId: bigint;
  userId: bigint;
}

/** The owner of a signed-in person's second factors. */
export function ownerOf({ home, userId }: Person): Owner {
  return { merchantId: home.merchantId, userId };
}

/** A user's second factor as it is stored: the app that is bound, null where none is. */
export interface StoredFactor {
  email: string;
  secretEncrypted: Buffer | null;
  confirmedAt: Date | null;
  lastStep: bigint | null;
  codesEncrypted: Buffer | null;
  /** The database's clock. */
  now: Date;
}

/** Reads a user's second factor and holds it until the transaction ends: a code is accepted once. */
export async function lockFactor(tx: Tx, owner: Owner): Promise<StoredFactor> {
  const row = await tx.query
    .selectFrom('app_user')
    .select([
      'email',
      'two_factor_secret',
      'two_factor_confirmed_at',
      'two_factor_last_step',
      'recovery_codes',
    ])
    .select(sql<Date>`now()`.as('now'))
    .where('merchant_id', '=', owner.merchantId)
    .where('id', '=', owner.userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return {
    email: row.email,
    // The version before kept secrets here that no code had confirmed.
    secretEncrypted: row.two_factor_confirmed_at && row.two_factor_secret,
    confirmedAt: row.two_factor_confirmed_at,
    lastStep: row.two_factor_last_step,
    codesEncrypted: row.recovery_codes,
    now: row.now,
  };
}

/**
 * As {@link lockFactor}, for a signed-in person. Throws `unauthenticated` where the session ended while the lock was waited
 * for: what is read then was bound by somebody else.
 */
export async function lockOwnFactor(tx: Tx, person: Person): Promise<StoredFactor> {
  const factor = await lockFactor(tx, ownerOf(person));
  await assertOpen(tx, person.sessionId);
  return factor;
}

/** What a change of the second factor writes; what is absent stays. */
export interface FactorChange {
  secretEncrypted?: Buffer | null;
  confirmedAt?: Date | null;
  lastStep?: bigint | null;
  codesEncrypted?: Buffer | null;
}

/** Changes a second factor that the transaction holds. */
export async function saveFactor(tx: Tx, owner: Owner, change: FactorChange): Promise<void> {
  const { secretEncrypted, confirmedAt, lastStep, codesEncrypted } = change;
  await tx.query
    .updateTable('app_user')
    .set({
      ...(secretEncrypted !== undefined && { two_factor_secret: secretEncrypted }),
      ...(confirmedAt !== undefined && { two_factor_confirmed_at: confirmedAt }),
      ...(lastStep !== undefined && { two_factor_last_step: lastStep }),
      ...(codesEncrypted !== undefined && { recovery_codes: codesEncrypted }),
    })
    .where('merchant_id', '=', owner.merchantId)
    .where('id', '=', owner.userId)
    .execute();
}
