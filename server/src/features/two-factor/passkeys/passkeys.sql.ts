import { passkeySeconds } from '@hengfu/contract/passkeys';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { hashSessionId } from '#http/session.rules.ts';
import type { CreatedPasskey, PasskeySecret } from '#security/web-authn.ts';
import type { Owner } from '../two-factor.sql.ts';

export interface PasskeyRow {
  id: string;
  name: string;
  credentialId: string;
  transports: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** Lists a user's passkeys, oldest first. */
export async function listPasskeys(tx: Tx, { userId }: Owner): Promise<PasskeyRow[]> {
  const rows = await tx.query
    .selectFrom('passkey')
    .select(['id', 'name', 'credential_id', 'transports', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    credentialId: row.credential_id,
    transports: row.transports,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }));
}

/**
 * Finds a user's passkey by credential id and locks it until the transaction ends, so that its counter only
 * grows.
 */
export async function lockPasskey(
  tx: Tx,
  { userId }: Owner,
  credentialId: string,
): Promise<(PasskeySecret & { id: string }) | undefined> {
  const row = await tx.query
    .selectFrom('passkey')
    .select(['id', 'credential_id', 'public_key', 'sign_count'])
    .where('user_id', '=', userId)
    .where('credential_id', '=', credentialId)
    .forUpdate()
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      credentialId: row.credential_id,
      publicKey: new Uint8Array(row.public_key),
      signCount: row.sign_count,
    }
  );
}

/** Adds a passkey; returns false if its credential is already bound. */
export async function insertPasskey(
  tx: Tx,
  { userId }: Owner,
  key: CreatedPasskey & { name: string },
): Promise<boolean> {
  const result = await tx.query
    .insertInto('passkey')
    .values({
      user_id: userId,
      credential_id: key.credentialId,
      public_key: Buffer.from(key.publicKey),
      sign_count: key.signCount,
      transports: [...key.transports],
      name: key.name,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Records that a passkey was used. */
export async function touchPasskey(tx: Tx, id: string, signCount: bigint): Promise<void> {
  await tx.query
    .updateTable('passkey')
    .set({ sign_count: signCount, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Removes one passkey of a user, or all; returns how many were removed. */
export async function deletePasskeys(tx: Tx, { userId }: Owner, id?: string): Promise<number> {
  const result = await tx.query
    .deleteFrom('passkey')
    .where('user_id', '=', userId)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Stores the challenge that the next passkey in a browser must sign, replacing an earlier one. */
export async function putChallenge(tx: Tx, sessionId: string, challenge: string): Promise<void> {
  await tx.query
    .insertInto('passkey_challenge')
    .values({ id_hash: hashSessionId(sessionId), challenge })
    .onConflict((conflict) =>
      conflict.column('id_hash').doUpdateSet({ challenge, created_at: sql<Date>`now()` }),
    )
    .execute();
}

/** Consumes the stored challenge; undefined if there is none or it has expired. */
export async function takeChallenge(tx: Tx, sessionId: string): Promise<string | undefined> {
  const row = await tx.query
    .deleteFrom('passkey_challenge')
    .where('id_hash', '=', hashSessionId(sessionId))
    .returning([
      'challenge',
      sql<boolean>`created_at > now() - ${passkeySeconds} * interval '1 second'`.as('fresh'),
    ])
    .executeTakeFirst();
  return row?.fresh ? row.challenge : undefined;
}

/** Records that a passkey was verified in a session. */
export async function putProof(tx: Tx, sessionId: string): Promise<void> {
  await tx.query
    .updateTable('session')
    .set({ passkey_shown_at: sql<Date>`now()` })
    .where('id_hash', '=', hashSessionId(sessionId))
    .execute();
}

/** Consumes the record of a verified passkey; returns false if there is none or it has expired. */
export async function takeProof(tx: Tx, sessionId: string): Promise<boolean> {
  const result = await tx.query
    .updateTable('session')
    .set({ passkey_shown_at: null })
    .where('id_hash', '=', hashSessionId(sessionId))
    .where('passkey_shown_at', '>', sql<Date>`now() - ${passkeySeconds} * interval '1 second'`)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
