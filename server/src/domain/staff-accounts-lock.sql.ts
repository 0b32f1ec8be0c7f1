import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/**
 * Locks the accounts of our staff until the transaction ends: for a change of one of them, which then happens alone, or so that their states and roles
 * stay as they are. Two changes that looked at each other's accounts could not deadlock. A request is locked before.
 */
export async function lockAccounts(tx: Tx, { isChange }: { isChange: boolean }): Promise<void> {
  const lock = sql.raw(isChange ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared');
  await sql`select ${lock}(hashtextextended('staff accounts', 0))`.execute(tx.query);
}
