import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** Whether one of some order numbers belongs to the other mode of a merchant. */
export async function isOfOtherMode(
  tx: Tx,
  merchantId: bigint,
  numbers: readonly string[],
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select is_of_other_mode(${merchantId}, ${[...numbers]}::text[]) as found`.execute(tx.query);
  return rows[0]?.found === true;
}
