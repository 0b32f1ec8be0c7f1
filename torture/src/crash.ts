import { setTimeout as pause } from 'node:timers/promises';
import { faultsAgainstBank, keptPayouts } from './bank-book.ts';
import { faultsOfBooks } from './books.ts';
import { Deployment, type Part, parts } from './deployment.ts';
import { MixedLoad } from './mixed-load.ts';
import { countOpen, missing, ordersOf } from './orders.ts';
import { type Random, torture } from './torture.ts';

interface Size {
  payouts: number;
  kills: number;
  perSecond: number;
  /** Milliseconds between one death and the next. */
  peaceMs: readonly [number, number];
}

const clients = 50;
const backWithinMs = 10_000;
const stuckAfterMs = 60_000;
const lookEveryMs = 50;

/**
 * Server, web processes, workers, PostgreSQL and its backends are killed at random while fifty programs pay out, collect
 * and look. What was acknowledged exists once, is paid once at the bank, and the books agree.
 */
export const crash = torture<Size>({
  title: 'processes and database killed under a mixed load',
  short: { payouts: 200, kills: 5, perSecond: 60, peaceMs: [1500, 6000] },
  // A product that is killed whenever it is up again does next to nothing on two cores but begin.
  long: { payouts: 20_000, kills: 40, perSecond: 60, peaceMs: [4000, 16_000] },
  async run(size, random) {
    const deployment = await Deployment.start({ merchants: 10, web: 2, workers: 2 });
    const faults: string[] = [];
    try {
      const { url, merchants } = deployment;
      const load = new MixedLoad({ url, merchants, clients, perSecond: size.perSecond, random });
      const running = load.run();
      const killed = await killAtRandom(deployment, size, random, load, faults);
      load.stop();
      await running;
      const endedAt = performance.now();
      const stuckMs = await deployment.withRuntime(async ({ services: { database } }) => {
        while ((await countOpen(database)) > 0 && performance.now() - endedAt < stuckAfterMs)
          await pause(lookEveryMs);
        return performance.now() - endedAt;
      });
      faults.push(...load.faults, ...deployment.deaths);
      const kept = await deployment.withRuntime(async ({ services: { database } }) => {
        const open = await countOpen(database);
        if (open > 0) faults.push(`${open} payouts have no end ${stuckAfterMs / 1000} s after the last call`);
        faults.push(...(await faultsOfBooks(deployment.ownerUrl, database)));
        const orders = {
          payout: await ordersOf(database, 'payout'),
          collection: await ordersOf(database, 'collection'),
        };
        faults.push(...orders.payout.doubled, ...missing('payout', load.payouts, orders.payout.byNumber));
        faults.push(...missing('collection', load.collections, orders.collection.byNumber));
        return keptPayouts(database);
      });
      const code = await deployment.stop();
      if (code !== 0) faults.push(`the server ended with ${code} on SIGTERM`);
      faults.push(...faultsAgainstBank(kept, deployment.bankFolder));
      const counts = {
        'payouts acknowledged': load.payouts.size,
        'collections acknowledged': load.collections.size,
        kills: [...killed.values()].reduce((sum, count) => sum + count, 0),
        ...Object.fromEntries([...killed].map(([part, count]) => [`of ${part}`, count])),
        'calls tried again': load.retries,
        's until the last payout had its end': Math.round(stuckMs / 1000),
        's of the slowest call': Math.round(load.slowestMs / 1000),
      };
      return { counts, faults };
    } finally {
      await deployment.stop();
      await deployment.remove();
    }
  },
});

/** Kills until there were enough deaths and enough payouts; after each the product is back within some seconds. */
async function killAtRandom(
  deployment: Deployment,
  size: Size,
  random: Random,
  load: MixedLoad,
  faults: string[],
): Promise<Map<Part, number>> {
  const killed = new Map<Part, number>();
  let kills = 0;
  while (kills < size.kills || load.payouts.size < size.payouts) {
    await pause(random.between(...size.peaceMs));
    // Each part dies, and after that it is chance.
    const part = parts[kills] ?? random.of(parts);
    if (!(await deployment.kill(part, (of) => random.of(of)))) continue;
    kills++;
    killed.set(part, (killed.get(part) ?? 0) + 1);
    const diedAt = performance.now();
    while ((await deployment.readiness()) !== 200) {
      if (performance.now() - diedAt > backWithinMs) {
        faults.push(`not back ${backWithinMs / 1000} s after the death of ${part}`);
        break;
      }
      await pause(lookEveryMs);
    }
  }
  return killed;
}
