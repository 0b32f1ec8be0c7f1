import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** Whether the last proof is a day old, or there is none. */
export async function isProofDue(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select coalesce(max(ended_at) < now() - interval '23 hours', true) as due from ledger_proof`.execute(
    tx.query,
  );
  return rows[0]?.due === true;
}

/** Records the result of a proof, which began with the transaction. */
export async function insertProof(
  tx: Tx,
  { count, examples }: { count: number; examples: readonly object[] },
): Promise<void> {
  await tx.query
    .insertInto('ledger_proof')
    .values({ begun_at: sql<Date>`now()`, violation_count: count, examples: JSON.stringify(examples) })
    .execute();
}

/** Lists the latest proofs, newest first. */
export function listProofs(tx: Tx, limit: number) {
  return tx.query
    .selectFrom('ledger_proof')
    .select(['begun_at as begunAt', 'ended_at as endedAt', 'violation_count as violationCount'])
    .select(sql<{ rule: string; detail: string }[]>`examples`.as('examples'))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
