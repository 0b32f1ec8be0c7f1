import type { Database } from '@hengfu/server/db/database.ts';
import { until } from '@hengfu/server/testing/until.ts';
import { faultsAgainstBank, type KeptPayout, keptPayouts } from './bank-book.ts';
import { faultsOfBooks } from './books.ts';
import type { Harness } from './harness.ts';
import { countOpen } from './orders.ts';
import type { Acknowledged, SteadyLoad } from './steady-load.ts';

/**
 * Payouts wait their turn: they are stuck where none of them comes to its end for so long after the last disturbance, and
 * where the bank could not be asked, for as long again as that was: pauses between two questions grow.
 */
const stuckAfterMs = 60_000;

/**
 * What is wrong once loads are over, and what the product is made of runs again: an acknowledged order that is missing
 * or there twice, a payout that nobody sent, one that is stuck, another end than the bank's, books that
 * don't agree. The bank is asked by its own file.
 */
export async function faultsOfLoad(
  loads: readonly SteadyLoad[],
  harness: Harness,
  bankAwayMs = 0,
): Promise<string[]> {
  const { database } = harness.installation.runtime.services;
  const stuck = await stuckOnes(database, stuckAfterMs + bankAwayMs);
  // Its book is nobody else's to open while it is.
  await harness.bank.close();
  const kept = await keptPayouts(database);
  return [
    ...loads.flatMap(({ faults }) => faults),
    ...stuck,
    ...faultsOfAcknowledged(
      loads.flatMap(({ acknowledged }) => acknowledged),
      kept,
    ),
    ...faultsAgainstBank(kept, harness.bankFolder),
    ...(await faultsOfBooks(harness.installation.ownerUrl, database)),
  ];
}

/** Waits for the end of each payout, as long as any comes to its end; what is left when none does. */
async function stuckOnes(database: Database, afterMs: number): Promise<string[]> {
  for (let left = await countOpen(database); left > 0; ) {
    try {
      left = await until(
        () => countOpen(database),
        (now) => now < left,
        afterMs,
      );
    } catch {
      const open = (await keptPayouts(database)).filter(
        ({ status }) => !['processed', 'rejected'].includes(status),
      );
      return open.map(
        ({ tradeNo, status }) =>
          `${tradeNo} is still ${status}: none has ended for ${Math.round(afterMs / 1000)} s`,
      );
    }
  }
  return [];
}

function faultsOfAcknowledged(acknowledged: readonly Acknowledged[], kept: readonly KeptPayout[]): string[] {
  const faults: string[] = [];
  const found = new Map<string, KeptPayout[]>();
  const nameOf = (merchantId: bigint, outTradeNo: string | null) => `${merchantId} ${outTradeNo}`;
  for (const payout of kept) {
    const name = nameOf(payout.merchantId, payout.outTradeNo);
    found.set(name, [...(found.get(name) ?? []), payout]);
  }
  for (const { merchant, outTradeNo, tradeNo, amountMinor } of acknowledged) {
    const payouts = found.get(nameOf(merchant.id, outTradeNo)) ?? [];
    const [only] = payouts;
    if (payouts.length !== 1 || only?.tradeNo !== tradeNo || only.amountMinor !== amountMinor)
      faults.push(`${outTradeNo} was acknowledged as ${tradeNo}; kept are ${payouts.length} of it`);
    found.delete(nameOf(merchant.id, outTradeNo));
  }
  // Clients try until they are told: what is left over was never acknowledged, or never asked for.
  for (const name of found.keys()) faults.push(`there is a payout that nobody was told of: ${name}`);
  return faults;
}
