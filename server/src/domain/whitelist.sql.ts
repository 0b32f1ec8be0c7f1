import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { Refusal } from './refusal.ts';

/** Callers that a refusal names at most. */
const maxNamed = 3;

/**
 * Throws `whitelist_empty`, or `whitelist_excludes` if a list would block every address that called in the last
 * seven days: such a list stops the merchant's systems, which needs a confirmation.
 */
export async function refuseClosed(tx: Tx, merchantId: bigint, blocks: readonly string[]): Promise<void> {
  if (blocks.length === 0) throw new Refusal('whitelist_empty');
  const { rows } = await sql<{ address: string; isAllowed: boolean }>`
    select host(address) as address, address <<= any(${[...blocks]}::inet[]) as "isAllowed"
    from signed_call_count
    where merchant_id = ${merchantId} and day > (now() at time zone 'UTC')::date - 7
    group by address order by "isAllowed" desc, sum(calls) desc limit ${maxNamed + 1}`.execute(tx.query);
  // Allowed ones come first, so the first row decides.
  if (rows.length === 0 || rows[0]?.isAllowed) return;
  const named = rows
    .slice(0, maxNamed)
    .map(({ address }) => address)
    .join(', ');
  throw new Refusal('whitelist_excludes', {
    values: { addresses: rows.length > maxNamed ? `${named} …` : named },
  });
}
