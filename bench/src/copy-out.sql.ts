import type { MerchantTx } from '@hengfu/server/db/database.ts';
import { sql } from 'kysely';

/** Copies a merchant's collections since a time, in the console's order, to nowhere; returns their count. */
export async function copyOut(tx: MerchantTx, from: string): Promise<number> {
  await sql`set local statement_timeout = 0`.execute(tx.query);
  const { numAffectedRows, rows } = await sql`copy (
    select trade_no, out_trade_no, status, amount_minor, fee_minor, currency, channel, subject, settlement_status,
      bank_reference, created_at, paid_at, refunded_at
    from collection where created_at >= ${sql.lit(from)} order by created_at desc, id desc) to stdout (format csv)`.execute(
    tx.query,
  );
  return Number(numAffectedRows ?? rows.length);
}
