import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { workplaceOf } from '#domain/workplaces.sql.ts';
import { hashSessionId, pendingSeconds } from './session.rules.ts';

/** A sign-in with the right password that still needs the second factor. */
export interface NewPendingSignIn {
  userId: bigint;
  remember: boolean;
}

/** A pending sign-in, with the merchant that the session will work for, or that is offered first. */
export interface PendingSignIn extends NewPendingSignIn {
  merchantId: bigint;
  /** There are no other merchants to choose from. */
  isChosen: boolean;
}

/** Stores a pending sign-in under the browser's session id. */
export async function insertPending(tx: Tx, sessionId: string, pending: NewPendingSignIn): Promise<void> {
  await tx.query
    .insertInto('pending_sign_in')
    .values({
      id_hash: hashSessionId(sessionId),
      user_id: pending.userId,
      remember: pending.remember,
    })
    .execute();
}

/** Returns the pending sign-in under this id, unless it has expired or the user or merchant is suspended. */
export async function findPending(tx: Tx, sessionId: string): Promise<PendingSignIn | undefined> {
  const row = await tx.query
    .selectFrom('pending_sign_in as p')
    .innerJoin('app_user as u', 'u.id', 'p.user_id')
    .innerJoinLateral(workplaceOf('p.user_id'), (join) => join.onTrue())
    .select(['m.merchant_id', 'm.is_one_of_several', 'p.user_id', 'p.remember'])
    .where('p.id_hash', '=', hashSessionId(sessionId))
    .where('p.created_at', '>', sql<Date>`now() - ${pendingSeconds} * interval '1 second'`)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst();
  return (
    row && {
      merchantId: row.merchant_id,
      isChosen: !row.is_one_of_several,
      userId: row.user_id,
      remember: row.remember,
    }
  );
}

/** Deletes a pending sign-in; returns false if another request did so first. */
export async function deletePending(tx: Tx, sessionId: string): Promise<boolean> {
  const result = await tx.query
    .deleteFrom('pending_sign_in')
    .where('id_hash', '=', hashSessionId(sessionId))
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** Deletes all pending sign-ins of a user. */
export async function deletePendingOf(tx: Tx, userId: bigint): Promise<void> {
  await tx.query.deleteFrom('pending_sign_in').where('user_id', '=', userId).execute();
}
