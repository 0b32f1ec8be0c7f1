import { passkeySeconds } from '@hengfu/contract/passkeys';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { hashSessionId } from '#http/session.rules.ts';
import type { CreatedPasskey, KnownPasskey, PasskeySecret } from '#security/web-authn.ts';

/** A passkey of a member of our staff. */
export interface StaffPasskeyRow extends KnownPasskey {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** Lists the passkeys of a member of our staff, oldest first. */
export function listPasskeys(tx: Tx, staffId: bigint): Promise<StaffPasskeyRow[]> {
  return tx.query
    .selectFrom('staff_passkey')
    .select(['id', 'name', 'credential_id as credentialId', 'transports'])
    .select(['created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('staff_id', '=', staffId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Finds a passkey of a member of our staff and locks it until the transaction ends, so that its counter only grows. */
export async function lockPasskey(
  tx: Tx,
  staffId: bigint,
  credentialId: string,
): Promise<(PasskeySecret & { id: string }) | undefined> {
  const row = await tx.query
    .selectFrom('staff_passkey')
    .select(['id', 'public_key', 'sign_count'])
    .where('staff_id', '=', staffId)
    .where('credential_id', '=', credentialId)
    .forUpdate()
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      credentialId,
      publicKey: new Uint8Array(row.public_key),
      signCount: row.sign_count,
    }
  );
}

/** Adds a passkey; returns false if its credential is already bound. */
export async function insertPasskey(
  tx: Tx,
  staffId: bigint,
  { credentialId, publicKey, signCount, transports, name }: CreatedPasskey & { name: string },
): Promise<boolean> {
  const result = await tx.query
    .insertInto('staff_passkey')
    .values({
      staff_id: staffId,
      credential_id: credentialId,
      public_key: Buffer.from(publicKey),
      sign_count: signCount,
      transports,
      name,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Records that a passkey was used. */
export async function touchPasskey(tx: Tx, id: string, signCount: bigint): Promise<void> {
  await tx.query
    .updateTable('staff_passkey')
    .set({ sign_count: signCount, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Removes a passkey. */
export async function deletePasskey(tx: Tx, staffId: bigint, id: string): Promise<void> {
  await tx.query.deleteFrom('staff_passkey').where('staff_id', '=', staffId).where('id', '=', id).execute();
}

/** The two kinds of challenges: for a new passkey, and for one that is shown. */
export type ChallengeKind = 'creation' | 'request';

/** Keeps the challenge that the next passkey of a session must sign, instead of an earlier one. */
export async function putChallenge(
  tx: Tx,
  sessionId: string,
  kind: ChallengeKind,
  challenge: string,
): Promise<void> {
  const at = sql<Date>`now()`;
  await tx.query
    .updateTable('staff_session')
    .set(
      kind === 'creation'
        ? { creation_challenge: challenge, creation_at: at }
        : { request_challenge: challenge, request_at: at },
    )
    .where('id_hash', '=', hashSessionId(sessionId))
    .execute();
}

/** Uses the challenge of a session up; undefined if there is none or it has expired. */
export async function takeChallenge(
  tx: Tx,
  sessionId: string,
  kind: ChallengeKind,
): Promise<string | undefined> {
  const [challenge, at] = [`${kind}_challenge`, `${kind}_at`].map((column) => sql.id(column));
  const { rows } = await sql<{ challenge: string | null }>`
    update staff_session s set ${challenge} = null, ${at} = null
    from (select id, ${challenge} as challenge, ${at} > now() - ${passkeySeconds} * interval '1 second' as is_fresh
      from staff_session where id_hash = ${hashSessionId(sessionId)} for update) old
    where s.id = old.id returning case when old.is_fresh then old.challenge end as challenge`.execute(
    tx.query,
  );
  return rows[0]?.challenge ?? undefined;
}
