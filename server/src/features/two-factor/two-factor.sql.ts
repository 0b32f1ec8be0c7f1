import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Person } from '#domain/caller.ts';
import { assertOpen } from '#http/session.sql.ts';

/** The user that a second factor belongs to. */
export interface Owner {
  merchantId: bigint;
  userId: bigint;
}

/** Returns the owner of a signed-in person's second factors. */
export function ownerOf({ home, userId }: Person): Owner {
  return { merchantId: home.merchantId, userId };
}

/** A user's second factor as it is stored; the app's fields are null if none is bound. */
export interface StoredFactor {
  email: string;
  secretEncrypted: Buffer | null;
  confirmedAt: Date | null;
  lastStep: bigint | null;
  codesEncrypted: Buffer | null;
  /** The database's clock. */
  now: Date;
}

/** Reads a user's second factor and locks it until the transaction ends, so that a code is accepted once. */
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
    .where('id', '=', owner.userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return {
    email: row.email,
    // The previous version also stored unconfirmed secrets here.
    secretEncrypted: row.two_factor_confirmed_at && row.two_factor_secret,
    confirmedAt: row.two_factor_confirmed_at,
    lastStep: row.two_factor_last_step,
    codesEncrypted: row.recovery_codes,
    now: row.now,
  };
}

/**
 * Like {@link lockFactor}, for a signed-in person. Throws `unauthenticated` if the session ended while
 * waiting for the lock: the factor may now be someone else's.
 */
export async function lockOwnFactor(tx: Tx, person: Person): Promise<StoredFactor> {
  const factor = await lockFactor(tx, ownerOf(person));
  await assertOpen(tx, person.sessionId);
  return factor;
}

/** A change of a second factor; absent fields stay as they are. */
export interface FactorChange {
  secretEncrypted?: Buffer | null;
  confirmedAt?: Date | null;
  lastStep?: bigint | null;
  codesEncrypted?: Buffer | null;
}

/** Changes a second factor that the transaction has locked. */
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
    .where('id', '=', owner.userId)
    .execute();
}
