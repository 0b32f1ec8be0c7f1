import type { Tx } from '#db/database.ts';
import type { Person } from '#domain/caller.ts';
import { hashSessionId } from './session.rules.ts';

/**
 * Makes a session work for another merchant under a new id. Neither the password confirmation nor a verified passkey carries over.
 * Event streams of the former merchant end. Returns false if the session has ended, or has been renewed by another request.
 */
export async function moveSession(
  tx: Tx,
  { sessionId, userId, home }: Person,
  to: { merchantId: bigint; newSessionId: string },
): Promise<boolean> {
  const result = await tx.query
    .updateTable('session')
    .set({
      id_hash: hashSessionId(to.newSessionId),
      merchant_id: to.merchantId,
      is_chosen: true,
      password_confirmed_at: null,
      passkey_shown_at: null,
    })
    .where('id_hash', '=', hashSessionId(sessionId))
    .executeTakeFirst();
  tx.changed(home.merchantId, `sessions:${userId}`);
  return result.numUpdatedRows === 1n;
}

/** Notes that an invitation was accepted in a session, like the one that opens a session. */
export async function markInvited(tx: Tx, sessionId: string): Promise<void> {
  await tx.query
    .updateTable('session')
    .set({ is_invited: true })
    .where('id_hash', '=', hashSessionId(sessionId))
    .execute();
}
