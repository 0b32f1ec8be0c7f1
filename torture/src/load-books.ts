import type { Database } from '@hengfu/server/db/database.ts';
import { until } from '@hengfu/server/testing/until.ts';
import { faultsAgainstBank, type KeptPayout, keptPayouts } from './bank-book.ts';
import { faultsOfBooks } from './books.ts';
import type { Harness } from './harness.ts';
import { countOpen } from './orders.ts';
import type { Acknowledged, SteadyLoad } from './steady-load.ts';

/**
 * Payouts are queued: they count as stuck only if none becomes final for this long. An outage of the bank
 * adds its own duration, since the intervals between status queries grow.
 */
const stuckAfterMs = 60_000;

/**
 * Checks the outcome once the loads are over and the product runs again. Finds acknowledged payouts that are
 * missing or duplicated, payouts that no client sent, stuck payouts, results that differ from the bank's, and
 * ledger violations. Closes the bank to read its records.
 */
export async function faultsOfLoad(
  loads: readonly SteadyLoad[],
  harness: Harness,
  outageMs = 0,
): Promise<string[]> {
  const { database } = harness.installation.runtime.services;
  const stuck = await faultsOfStuckPayouts(database, stuckAfterMs + outageMs);
  // Its database file can only be read once the bank has closed it.
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

/** Waits until all payouts are final. Describes the rest if none has become final for `afterMs`. */
export async function faultsOfStuckPayouts(
  database: Database,
  afterMs: number = stuckAfterMs,
): Promise<string[]> {
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
          `${tradeNo} is still ${status}: no payout has become final for ${Math.round(afterMs / 1000)} s`,
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
      faults.push(
        `${outTradeNo} was acknowledged as ${tradeNo}, but ${payouts.length} payouts have its number`,
      );
    found.delete(nameOf(merchant.id, outTradeNo));
  }
  // Clients retry until they get an acknowledgment, so the rest was never acknowledged or never requested.
  for (const name of found.keys()) faults.push(`a payout was never acknowledged: ${name}`);
  return faults;
}
