import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/**
 * Shorter than PostgreSQL's deadlock timeout: if this and another transaction wait for each other, this one gives up, and
 * its job is retried.
 */
const lockTimeoutMs = 500;

/** Makes the partitions of the month that is so many months away, unless they exist. */
export async function makeMonth(tx: Tx, ahead: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(tx.query);
  await sql`select make_months(month, month)
    from (select now() + ${ahead}::integer * interval '1 month' as month) due`.execute(tx.query);
}
