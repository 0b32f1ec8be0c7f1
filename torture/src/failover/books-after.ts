import { setTimeout as pause } from 'node:timers/promises';
import { faultsAgainstBank, keptPayouts } from '../bank-book.ts';
import { faultsOfBooks } from '../books.ts';
import type { MixedLoad } from '../mixed-load.ts';
import { operator } from '../operator.ts';
import { countOpen, missingOrders, ordersOf } from '../orders.ts';
import type { Installation } from './installation.ts';

const stuckAfterMs = 60_000;
const pollEveryMs = 50;

/**
 * Waits until every payout is final, then finds orders that are missing or exist twice, results that differ from the bank's
 * own records, and violations of the ledger. Closes the bank to read its records.
 */
export async function faultsOfOrders({ harness, front }: Installation, load: MixedLoad): Promise<string[]> {
  const { database } = harness.installation.runtime.services;
  const faults: string[] = [];
  for (const endedAt = performance.now(); (await countOpen(database)) > 0; await pause(pollEveryMs)) {
    if (performance.now() - endedAt < stuckAfterMs) continue;
    faults.push(
      `${await countOpen(database)} payouts are not final ${stuckAfterMs / 1000} s after the last call`,
    );
    break;
  }
  const payouts = await ordersOf(database, 'payout');
  const collections = await ordersOf(database, 'collection');
  const kept = await keptPayouts(database);
  // Its database file can only be read once the bank has closed it.
  await harness.bank.close();
  const { code, text } = await operator(front.ownerUrl, ['ledger', 'verify']);
  return [
    ...faults,
    ...payouts.duplicates,
    ...collections.duplicates,
    ...missingOrders('payout', load.payouts, payouts.byNumber),
    ...missingOrders('collection', load.collections, collections.byNumber),
    ...faultsAgainstBank(kept, harness.bankFolder),
    ...(await faultsOfBooks(front.ownerUrl, database)),
    ...(code === 0 ? [] : [`operator ledger verify exited with ${code}: ${text}`]),
  ];
}
