import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { writeAudit } from './audit.sql.ts';

const name = 'fourEyesFrom';

/** Reads the amount from which on two people have to agree, in minor units of USDT; undefined if no back office has served people yet. */
export async function readFourEyesFrom(tx: Tx): Promise<bigint | undefined> {
  const row = await tx.query
    .selectFrom('staff_setting')
    .select('usdt_minor')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.usdt_minor;
}

/** Stores the amount from which on two people have to agree. Audits each change of it, also if several processes start at once. */
export async function storeFourEyesFrom(tx: Tx, usdtMinor: bigint): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('staff setting', 0))`.execute(tx.query);
  const before = await readFourEyesFrom(tx);
  if (before === usdtMinor) return;
  await tx.query
    .insertInto('staff_setting')
    .values({ name, usdt_minor: usdtMinor })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ usdt_minor: usdtMinor, changed_at: sql<Date>`now()` }),
    )
    .execute();
  await writeAudit(tx, {
    merchantId: null,
    actor: 'job:staff.start',
    action: 'staff.four_eyes_from',
    subject: 'FOUR_EYES_FROM',
    ...(before !== undefined && { before: { usdtMinor: String(before) } }),
    after: { usdtMinor: String(usdtMinor) },
  });
}
