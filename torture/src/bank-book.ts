import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Database } from '@hengfu/server/db/database.ts';

/** A payout as the product recorded it. */
export interface KeptPayout {
  merchantId: bigint;
  tradeNo: string;
  outTradeNo: string | null;
  status: string;
  amountMinor: bigint;
}

/** A payout in the bank's own records. */
interface BankEntry {
  amountMinor: bigint;
  status: string;
  isVoided: boolean;
}

/** Reads all payouts of all merchants. */
export async function keptPayouts(database: Database): Promise<KeptPayout[]> {
  const rows = await database.asSystem((tx) =>
    tx.query
      .selectFrom('payout')
      .select(['merchant_id', 'trade_no', 'out_trade_no', 'status', 'amount_minor'])
      .execute(),
  );
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    tradeNo: row.trade_no,
    outTradeNo: row.out_trade_no,
    status: row.status,
    amountMinor: row.amount_minor,
  }));
}

/**
 * Compares our payouts with the bank's own records: existence, final status and amount. Reads the bank's
 * database file, so the bank must be closed first.
 */
export function faultsAgainstBank(kept: readonly KeptPayout[], bankFolder: string): string[] {
  const book = bankBook(bankFolder);
  const faults: string[] = [];
  for (const { tradeNo, status, amountMinor } of kept) {
    const entry = book.get(tradeNo);
    book.delete(tradeNo);
    const isPaid = entry?.status === 'paid';
    if (isPaid !== (status === 'processed'))
      faults.push(`${tradeNo} is ${status} here and ${entry?.status ?? 'unknown'} at the bank`);
    if (entry && !entry.isVoided && entry.amountMinor !== amountMinor)
      faults.push(`${tradeNo} is ${amountMinor} here and ${entry.amountMinor} at the bank`);
  }
  for (const tradeNo of book.keys()) faults.push(`the bank has a payout that is unknown here: ${tradeNo}`);
  return faults;
}

/** Reads the bank's payouts by our order number. */
function bankBook(folder: string): Map<string, BankEntry> {
  const db = new DatabaseSync(join(folder, 'sandbox.sqlite'), { readBigInts: true, readOnly: true });
  try {
    const rows = db.prepare('SELECT reference, amount_minor, status, request FROM payouts').all();
    return new Map(
      rows.map((row) => [
        String(row.reference),
        {
          amountMinor: row.amount_minor as bigint,
          status: String(row.status),
          isVoided: row.request === 'voided',
        },
      ]),
    );
  } finally {
    db.close();
  }
}
