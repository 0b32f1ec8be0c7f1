import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Database } from '@hengfu/server/db/database.ts';

/** A payout as the product has it. */
export interface KeptPayout {
  merchantId: bigint;
  tradeNo: string;
  outTradeNo: string | null;
  status: string;
  amountMinor: bigint;
}

/** What the bank has in its own book, by the product's number. */
interface BankEntry {
  amountMinor: bigint;
  status: string;
  isVoided: boolean;
}

/** Every payout of every merchant. */
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
 * Payouts of which our book and the bank's own say different things: their end, their amount, or that they are there at
 * all. The bank's is read from its file, once the bank has closed it.
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
  for (const tradeNo of book.keys()) faults.push(`the bank has a payout that is not kept here: ${tradeNo}`);
  return faults;
}

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
