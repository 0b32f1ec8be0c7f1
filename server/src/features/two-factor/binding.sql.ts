import { bindingSeconds } from '@hengfu/contract/authentication';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Person } from '#domain/caller.ts';
import { hashSessionId, hashStaffCode } from '#http/session.rules.ts';

/** An authenticator app that a session is binding: secret and recovery codes, sealed. */
export interface Binding {
  secretEncrypted: Buffer;
  /** Null: the codes that the person has stay. */
  codesEncrypted: Buffer | null;
}

/** The binding that this session has begun, unless it took too long. No other session can read it. */
export async function findBinding(tx: Tx, sessionId: string): Promise<Binding | undefined> {
  const row = await tx.query
    .selectFrom('two_factor_binding as b')
    .innerJoin('session as s', 's.id', 'b.session_id')
    .select(['b.secret', 'b.recovery_codes'])
    .where('s.id_hash', '=', hashSessionId(sessionId))
    .where('b.created_at', '>', sql<Date>`now() - ${bindingSeconds} * interval '1 second'`)
    .executeTakeFirst();
  return row && { secretEncrypted: row.secret, codesEncrypted: row.recovery_codes };
}

/** Keeps what a session is binding; whatever it was binding before is forgotten. */
export async function putBinding(tx: Tx, { sessionId }: Person, binding: Binding): Promise<void> {
  await sql`
    insert into two_factor_binding (session_id, merchant_id, user_id, secret, recovery_codes)
    select id, merchant_id, user_id, ${binding.secretEncrypted}::bytea, ${binding.codesEncrypted}::bytea
    from session where id_hash = ${hashSessionId(sessionId)}
    on conflict (session_id) do update
      set secret = excluded.secret, recovery_codes = excluded.recovery_codes, created_at = now()`.execute(
    tx.query,
  );
}

/** Forgets what a user is binding, in every session. */
export async function deleteBindingsOf(tx: Tx, userId: bigint): Promise<void> {
  await tx.query.deleteFrom('two_factor_binding').where('user_id', '=', userId).execute();
}

/** Uses up a user's enrolment code; false where it is another one, or too late. */
export async function takeEnrolmentCode(tx: Tx, userId: bigint, code: string): Promise<boolean> {
  const result = await tx.query
    .deleteFrom('enrolment_code')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashStaffCode(code))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
