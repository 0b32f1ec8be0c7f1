import { bindingSeconds } from '@hengfu/contract/authentication';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Person } from '#domain/caller.ts';
import { hashSessionId, hashStaffCode } from '#http/session.rules.ts';

/** The pending binding of an authenticator app: encrypted secret and recovery codes. */
export interface Binding {
  secretEncrypted: Buffer;
  /** Null: the person keeps the existing codes. */
  codesEncrypted: Buffer | null;
}

/** Finds the pending binding of this session, unless it has expired. No other session can read it. */
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

/** Stores a session's pending binding, replacing an earlier one. */
export async function putBinding(tx: Tx, { sessionId }: Person, binding: Binding): Promise<void> {
  await sql`
    insert into two_factor_binding (session_id, user_id, secret, recovery_codes)
    select id, user_id, ${binding.secretEncrypted}::bytea, ${binding.codesEncrypted}::bytea
    from session where id_hash = ${hashSessionId(sessionId)}
    on conflict (session_id) do update
      set secret = excluded.secret, recovery_codes = excluded.recovery_codes, created_at = now()`.execute(
    tx.query,
  );
}

/** Deletes a user's pending bindings in all sessions. */
export async function deleteBindingsOf(tx: Tx, userId: bigint): Promise<void> {
  await tx.query.deleteFrom('two_factor_binding').where('user_id', '=', userId).execute();
}

/** Uses up a user's enrollment code; returns false if the code is wrong or has expired. */
export async function takeEnrolmentCode(tx: Tx, userId: bigint, code: string): Promise<boolean> {
  const result = await tx.query
    .deleteFrom('enrolment_code')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashStaffCode(code))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
