import type { Database, MerchantTx } from '@hengfu/server/db/database.ts';
import { type Balances, balances } from '@hengfu/server/ledger/ledger.ts';
import { sql } from 'kysely';

/** Reads all orders of a kind by merchant order number; `duplicates` describes those that share a number. */
export async function ordersOf(
  database: Database,
  table: 'payout' | 'collection',
): Promise<{ byNumber: Map<string, { tradeNo: string; status: string }>; duplicates: string[] }> {
  const rows = await database.asSystem(async (tx) => {
    const found = await sql<{ number: string | null; trade_no: string; status: string }>`
      select out_trade_no as number, trade_no, status from ${sql.table(table)}`.execute(tx.query);
    return found.rows;
  });
  const byNumber = new Map<string, { tradeNo: string; status: string }>();
  const duplicates: string[] = [];
  for (const { number, trade_no: tradeNo, status } of rows) {
    if (number === null) continue;
    const other = byNumber.get(number);
    if (other) duplicates.push(`${table} ${number} exists twice: ${other.tradeNo}, ${tradeNo}`);
    byNumber.set(number, { tradeNo, status });
  }
  return { byNumber, duplicates };
}

/** Counts the payouts that have no final status yet. */
export async function countOpen(database: Database): Promise<number> {
  return database.asSystem(async (tx) => {
    const { rows } = await sql<{ count: bigint }>`
      select count(*) from payout where status not in ('processed', 'rejected')`.execute(tx.query);
    return Number(rows[0]?.count);
  });
}

/** Describes acknowledged orders that do not exist, or exist under another number. */
export function missingOrders(
  kind: string,
  acknowledged: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, { tradeNo: string }>,
): string[] {
  return [...acknowledged].flatMap(([number, tradeNo]) => {
    const stored = found.get(number)?.tradeNo;
    return stored === tradeNo
      ? []
      : [`${kind} ${number} was acknowledged as ${tradeNo}, but is ${stored ?? 'missing'}`];
  });
}

/** The balances and order statuses of one merchant, with a digest of both. */
export interface MerchantState {
  balances: Balances;
  statuses: ReadonlyMap<string, string>;
  digest: string;
}

export async function readMerchantState(tx: MerchantTx): Promise<MerchantState> {
  const orders = await sql<{ trade_no: string; status: string; row: string }>`
    select trade_no, status, md5(c::text) as row from collection c
    union all select trade_no, status, md5(p::text) from payout p
    union all select trade_no, status, md5(w::text) from withdrawal w order by trade_no`.execute(tx.query);
  const found = await balances(tx, 'CNY');
  return {
    balances: found,
    statuses: new Map(orders.rows.map(({ trade_no: tradeNo, status }) => [tradeNo, status])),
    digest: JSON.stringify([Object.values(found).map(String), orders.rows.map(({ row }) => row)]),
  };
}
