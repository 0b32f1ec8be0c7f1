import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** Locks a merchant's unsettled funds: until the transaction ends, no other one settles or takes them. */
export async function holdSettling(tx: MerchantTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`settling ${tx.merchantId}`}, 0))`.execute(
    tx.prepared,
  );
}

/**
 * Returns the unsettled funds, in minor units, that no pending settlement will move: available to a refund or
 * to another settlement.
 */
export async function freeUnsettled(tx: MerchantTx): Promise<bigint> {
  const { rows } = await sql<{ free: bigint }>`
    select (coalesce((select sum(balance_minor) from ledger_account
        where merchant_id = ${tx.merchantId} and kind = 'unsettled'), 0)
      - coalesce((select sum(net_minor) from settlement
        where merchant_id = ${tx.merchantId} and status = 'pendingSettlement'), 0))::bigint as free`.execute(
    tx.prepared,
  );
  return rows[0]?.free ?? 0n;
}
