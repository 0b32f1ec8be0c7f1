import { setTimeout as pause } from 'node:timers/promises';
import { faultsAgainstBank, keptPayouts } from './bank-book.ts';
import { faultsOfBooks } from './books.ts';
import { Deployment, type Part, parts } from './deployment.ts';
import { MixedLoad } from './mixed-load.ts';
import { countOpen, missingOrders, ordersOf } from './orders.ts';
import { type Random, torture } from './torture.ts';

interface Size {
  payouts: number;
  kills: number;
  perSecond: number;
  /** Shortest and longest pause before each kill. */
  pauseMs: readonly [number, number];
}

const clients = 50;
const recoverWithinMs = 10_000;
/** A product that is not ready for this long does not come back: the run is over. */
const lostAfterMs = 60_000;
const stuckAfterMs = 60_000;
const pollEveryMs = 50;

/**
 * Kills the server, web processes, workers, PostgreSQL and its backends at random while fifty clients create
 * payouts and collections and query them. Each acknowledged order exists once and is paid once at the bank,
 * and the books balance.
 */
export const crash = torture<Size>({
  title: 'processes and database killed under a mixed load',
  short: { payouts: 200, kills: 5, perSecond: 60, pauseMs: [1500, 6000] },
  // With shorter pauses, two cores would do little besides starting processes.
  long: { payouts: 20_000, kills: 40, perSecond: 60, pauseMs: [4000, 16_000] },
  isForBuildServers: true,
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
      const finalAfterMs = await deployment.withRuntime(async ({ services: { database } }) => {
        while ((await countOpen(database)) > 0 && performance.now() - endedAt < stuckAfterMs)
          await pause(pollEveryMs);
        return performance.now() - endedAt;
      });
      faults.push(...load.faults, ...deployment.unexpectedExits);
      const kept = await deployment.withRuntime(async ({ services: { database } }) => {
        const open = await countOpen(database);
        if (open > 0)
          faults.push(`${open} payouts are not final ${stuckAfterMs / 1000} s after the last call`);
        faults.push(...(await faultsOfBooks(deployment.ownerUrl, database)));
        const orders = {
          payout: await ordersOf(database, 'payout'),
          collection: await ordersOf(database, 'collection'),
        };
        faults.push(
          ...orders.payout.duplicates,
          ...missingOrders('payout', load.payouts, orders.payout.byNumber),
          ...missingOrders('collection', load.collections, orders.collection.byNumber),
        );
        return keptPayouts(database);
      });
      const code = await deployment.stop();
      if (code !== 0) faults.push(`the server exited with ${code} on SIGTERM`);
      faults.push(...faultsAgainstBank(kept, deployment.bankFolder));
      const counts = {
        'payouts acknowledged': load.payouts.size,
        'collections acknowledged': load.collections.size,
        kills: [...killed.values()].reduce((sum, count) => sum + count, 0),
        ...Object.fromEntries([...killed].map(([part, count]) => [`of ${part}`, count])),
        'calls retried': load.retries,
        's until the last payout was final': Math.round(finalAfterMs / 1000),
        's for the slowest call': Math.round(load.slowestMs / 1000),
      };
      return { counts, faults };
    } finally {
      await deployment.stop();
      await deployment.remove();
    }
  },
});

/** Kills processes until there were enough kills and payouts. A recovery that takes too long is a fault. */
async function killAtRandom(
  deployment: Deployment,
  size: Size,
  random: Random,
  load: MixedLoad,
  faults: string[],
): Promise<Map<Part, number>> {
  const killed = new Map<Part, number>();
  let kills = 0;
  let lastKillAt = performance.now();
  while (kills < size.kills || load.payouts.size < size.payouts) {
    await pause(random.between(...size.pauseMs));
    // Kills each part once, then at random.
    const part = parts[kills] ?? random.of(parts);
    if (!(await deployment.kill(part, (pids) => random.of(pids)))) {
      if (performance.now() - lastKillAt < lostAfterMs) continue;
      faults.push(`no ${part} to kill for ${lostAfterMs / 1000} s`);
      return killed;
    }
    lastKillAt = performance.now();
    kills++;
    killed.set(part, (killed.get(part) ?? 0) + 1);
    const killedAt = performance.now();
    while ((await deployment.readiness()) !== 200) {
      if (performance.now() - killedAt > lostAfterMs) {
        faults.push(`not ready ${lostAfterMs / 1000} s after ${part} was killed`);
        return killed;
      }
      await pause(pollEveryMs);
    }
    const recoveredAfterMs = performance.now() - killedAt;
    if (recoveredAfterMs > recoverWithinMs)
      faults.push(`ready only ${Math.round(recoveredAfterMs / 1000)} s after ${part} was killed`);
  }
  return killed;
}
