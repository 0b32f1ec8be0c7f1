import { isDatabaseAway } from '@hengfu/server/db/pool.ts';
import { Refusal } from '@hengfu/server/domain/refusal.ts';
import { balances, type LedgerEntry, type MerchantAccount, post } from '@hengfu/server/ledger/ledger.ts';
import { fundMerchant, makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import { openTestInstallation } from '@hengfu/server/testing/test-installation.ts';
import { faultsOfBooks } from './books.ts';
import { torture } from './torture.ts';

interface Size {
  transfers: number;
  workers: number;
}

const accounts: readonly MerchantAccount[] = ['available', 'locked', 'unsettled'];
/** With three accounts each, this makes twelve hot accounts. */
const merchantCount = 4;
const funds = '10000.00';
const mostMinor = 400_000;

/**
 * The bank test: workers move money between a few accounts while others read them. No snapshot may show a
 * negative balance or a different total, and in the end each balance must be the sum of its entries.
 */
export const bank = torture<Size>({
  title: 'transfers between hot accounts, and snapshots of them',
  short: { transfers: 1500, workers: 20 },
  long: { transfers: 60_000, workers: 20 },
  async run({ transfers, workers }, random) {
    const installation = await openTestInstallation();
    const { database } = installation.runtime.services;
    const faults: string[] = [];
    const counts = { 'transfers posted': 0, 'refused: not covered': 0, snapshots: 0 };
    try {
      const merchants = await makeMerchants(installation.runtime, merchantCount);
      for (const merchant of merchants) await fundMerchant(installation.runtime, merchant, funds);
      const read = (id: bigint) => database.asMerchant(id, (tx) => balances(tx, 'CNY'));
      const totalOf = async (id: bigint) => {
        const found = await retryWhileUnavailable(() => read(id));
        for (const account of accounts)
          if (found[account] < 0n) faults.push(`${account} of ${id} was negative: ${found[account]}`);
        return accounts.reduce((sum, account) => sum + found[account], 0n);
      };
      const before = new Map<bigint, bigint>();
      for (const { id } of merchants) before.set(id, await totalOf(id));
      let next = 0;
      const worker = async () => {
        for (let number = next++; number < transfers; number = next++) {
          const amountMinor = BigInt(random.between(1, mostMinor));
          const [from, to] = random.of([
            ['available', 'locked'],
            ['locked', 'available'],
            ['available', 'unsettled'],
            ['unsettled', 'locked'],
          ] as const);
          const entries: LedgerEntry[] = [
            { account: from, amountMinor: -amountMinor },
            { account: to, amountMinor },
          ];
          try {
            const { id } = random.of(merchants);
            await retryWhileUnavailable(() =>
              database.asMerchant(id, (tx) =>
                post(tx, {
                  type: 'collection_payment',
                  key: `bank:${number}`,
                  subjectNo: `bank-${number}`,
                  currency: 'CNY',
                  entries,
                }),
              ),
            );
            counts['transfers posted']++;
          } catch (error) {
            if (error instanceof Refusal && error.code === 'insufficient_funds')
              counts['refused: not covered']++;
            else faults.push(`a transfer failed: ${error}`);
          }
        }
      };
      const isOver = () => next >= transfers;
      const watcher = async () => {
        while (!isOver()) {
          const { id } = random.of(merchants);
          const total = await totalOf(id);
          counts.snapshots++;
          if (total !== before.get(id)) faults.push(`the total of ${id} was ${total}, not ${before.get(id)}`);
        }
      };
      await Promise.all([...Array.from({ length: workers }, worker), watcher(), watcher()]);
      faults.push(...(await faultsOfBooks(installation.ownerUrl, database, { hasOrders: false })));
    } finally {
      await installation.close();
    }
    return { counts, faults };
  },
});

/**
 * Retries while the database is unavailable: on a stalled machine the pool can stay exhausted for seconds.
 */
async function retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
    }
  }
}
