import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** Finds the test merchant of a live merchant that is in use. */
export async function findTwin(tx: Tx, liveId: bigint): Promise<{ id: bigint; code: string } | undefined> {
  const { rows } = await sql<{ id: bigint; code: string }>`
    select id, code from merchant where live_merchant_id = ${liveId} and retired_at is null`.execute(
    tx.query,
  );
  return rows[0];
}
