import { setTimeout as pause } from 'node:timers/promises';
import { FaultyNetwork, type NetworkCondition } from '@hengfu/server/testing/faulty-network.ts';
import type { KeyedMerchant } from '@hengfu/server/testing/keyed-merchants.ts';
import type { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import { Harness, programsOf } from './harness.ts';
import { faultsOfLoad } from './load-books.ts';
import { SteadyLoad, usualOutcomes } from './steady-load.ts';
import { type Random, torture } from './torture.ts';

interface Size {
  /** Number of faults; each affects one network at a time. */
  faults: number;
  clients: number;
  /** Pause of a client between two payouts, long enough that no backlog builds up without faults. */
  betweenMs: number;
  /** Longest duration of a fault. */
  maxSeconds: number;
}

type Link = 'shops' | 'database' | 'bank';

/**
 * The longest a shop may wait for a reply, whatever the state of database and bank: 3 s to connect, 5 s
 * without traffic, two health checks of 3 s each, and some slack.
 */
const answerWithinMs = 16_000;
/** All clients must be served again this soon after a fault is over. */
const recoverWithinMs = 10_000;
const minSeconds = 2;

/**
 * Faulty networks between shops and server, server and database, server and bank, under load. Nothing is sent
 * twice or lost, compared with the bank's own records, and every call gets a reply in bounded time.
 */
export const network = torture<Size>({
  title: 'faulty networks between shops, server, database and bank',
  short: { faults: 2, clients: 6, betweenMs: 10, maxSeconds: 2 },
  long: { faults: 40, clients: 16, betweenMs: 400, maxSeconds: 20 },
  isForBuildServers: true,
  async run(size, random) {
    const harness = await Harness.open();
    const networks: Partial<Record<Link, FaultyNetwork>> = {};
    try {
      networks.database = await FaultyNetwork.open(portOf(harness.installation.ownerUrl));
      networks.bank = await FaultyNetwork.open(portOf(harness.bank.url));
      const { url, child } = await harness.startProduct('all', {
        DATABASE_URL: networks.database.urlOf(harness.installation.ownerUrl),
        SANDBOX_URL: networks.bank.urlOf(harness.bank.url),
      });
      networks.shops = await FaultyNetwork.open(portOf(url));
      const outcome = await runLoad(harness, networks as Record<Link, FaultyNetwork>, url, size, random);
      if (child.exitCode !== null) outcome.faults.push(`the product has exited with ${child.exitCode}`);
      return outcome;
    } finally {
      await harness.close();
      for (const each of Object.values(networks)) await each.close();
    }
  },
});

async function runLoad(
  harness: Harness,
  networks: Record<Link, FaultyNetwork>,
  url: string,
  { faults: faultCount, clients, betweenMs, maxSeconds }: Size,
  random: Random,
) {
  const faults: string[] = [];
  /** Calls begun before this time may hang: the shops' network was faulty. */
  let shopsClearAt = 0;
  const programs = programsOf(harness.merchants, networks.shops.urlOf(url));
  const load = new SteadyLoad({
    merchants: harness.merchants,
    clients,
    random,
    answerWithinMs,
    betweenMs,
    outcomes: [...usualOutcomes, '09'],
    programOf: (merchant: KeyedMerchant) => programs.get(merchant) as ShopProgram,
    mayHang: (begunAt) => begunAt < shopsClearAt,
  });
  await load.waitForPayouts(20);
  let slowestRecoveryMs = 0;
  let outageMs = 0;
  const seen: string[] = [];
  for (let number = 0; number < faultCount; number++) {
    const [link, condition] = chooseFault(random, number);
    seen.push(`${link} ${condition.kind}`);
    if (link === 'shops') shopsClearAt = Number.POSITIVE_INFINITY;
    networks[link].condition = condition;
    const durationMs = random.between(minSeconds, maxSeconds) * 1000;
    // Without its database the server sends no status queries to the bank either.
    if (link !== 'shops') outageMs += durationMs;
    await pause(durationMs);
    networks[link].condition = { kind: 'clear' };
    const clearAt = performance.now();
    if (link === 'shops') shopsClearAt = clearAt;
    // Waits for as many payouts as there are clients, so that one lucky client is not enough.
    await load.waitForPayouts(clients);
    // A shop whose connection was forgotten waits until its own timeout.
    const tookMs = performance.now() - clearAt - (link === 'shops' ? answerWithinMs : 0);
    if (tookMs > recoverWithinMs)
      faults.push(`recovery took ${Math.round(tookMs)} ms after ${link} ${condition.kind}`);
    slowestRecoveryMs = Math.max(slowestRecoveryMs, tookMs);
  }
  await load.stop();
  for (const each of Object.values(networks)) each.closeForgotten();
  faults.push(...(await faultsOfLoad([load], harness, outageMs)));
  const longestMs = load.longestMs;
  const results = Object.entries(load.results).map(([result, count]) => `${count}× ${result}`);
  const counts = {
    faults: faultCount,
    seen: [...new Set(seen)].join(', '),
    'payouts acknowledged': load.acknowledged.length,
    's without bank or database': Math.round(outageMs / 1000),
    'ms of the longest call': longestMs,
    'ms of the slowest recovery': Math.round(slowestRecoveryMs),
    calls: results.join(', '),
  };
  return { counts, faults };
}

const conditions: readonly NetworkCondition[] = [
  { kind: 'forgetfulHole' },
  { kind: 'hole' },
  { kind: 'reset', afterBytes: 3000 },
  { kind: 'halfClose' },
  { kind: 'slow', fromMs: 20, toMs: 400 },
  { kind: 'drip', bytes: 40, everyMs: 10 },
];
const links: readonly Link[] = ['bank', 'database', 'shops'];

/** Chooses a fault. The first three are the worst of each network, so that the short form has some. */
function chooseFault(random: Random, number: number): [Link, NetworkCondition] {
  const link = links[number];
  const [worst] = conditions;
  return link && worst ? [link, worst] : [random.of(links), random.of(conditions)];
}

const portOf = (url: string) => Number(new URL(url).port);
