import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';

/** Reads the blocks that a merchant's systems may call from. */
export async function readAllowed(tx: MerchantTx): Promise<string[]> {
  const { rows } = await sql<{ blocks: string[] }>`
    select allowed_addresses::text[] as blocks from merchant where id = ${tx.merchantId}`.execute(tx.query);
  return rows[0]?.blocks ?? [];
}

/** Reads the allowed blocks, and locks them until the transaction ends. */
export async function lockAllowed(tx: Tx, merchantId: bigint): Promise<string[]> {
  const { rows } = await sql<{ blocks: string[] }>`
    select allowed_addresses::text[] as blocks from merchant where id = ${merchantId} for update`.execute(
    tx.query,
  );
  return rows[0]?.blocks ?? [];
}

/** Replaces the allowed blocks. */
export async function replaceAllowed(tx: Tx, merchantId: bigint, blocks: readonly string[]): Promise<void> {
  await sql`
    update merchant set allowed_addresses = ${[...blocks]}::cidr[] where id = ${merchantId}`.execute(
    tx.query,
  );
}

/** Whether each block lies within one of others. */
export async function areInside(
  tx: Tx,
  blocks: readonly string[],
  others: readonly string[],
): Promise<boolean> {
  const { rows } = await sql<{ inside: boolean }>`
    select coalesce(bool_and(block <<= any(${[...others]}::inet[])), true) as inside
    from unnest(${[...blocks]}::inet[]) as given (block)`.execute(tx.query);
  return rows[0]?.inside === true;
}

/** Lists the addresses of the last seven days' calls, busiest first, and whether the blocks allow them. */
export async function listCallers(
  tx: MerchantTx,
  blocks: readonly string[],
): Promise<{ address: string; calls: bigint; isAllowed: boolean }[]> {
  const { rows } = await sql<{ address: string; calls: bigint; isAllowed: boolean }>`
    select host(address) as address, sum(calls)::bigint as calls,
      coalesce(bool_or(address <<= any(${[...blocks]}::inet[])), false) as "isAllowed"
    from signed_call_count
    where merchant_id = ${tx.merchantId} and day > (now() at time zone 'UTC')::date - 7
    group by address order by calls desc, address limit 200`.execute(tx.query);
  return rows;
}

/** Whether an address lies in one of the blocks. */
export async function isInside(tx: Tx, address: string, blocks: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ inside: boolean }>`
    select ${address}::inet <<= any(${[...blocks]}::inet[]) as inside`.execute(tx.query);
  return rows[0]?.inside === true;
}
