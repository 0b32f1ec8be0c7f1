import { setTimeout as pause } from 'node:timers/promises';
import { FaultyNetwork, type Weather } from '@hengfu/server/testing/faulty-network.ts';
import type { KeyedMerchant } from '@hengfu/server/testing/keyed-merchants.ts';
import type { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import { Harness, programsOf } from './harness.ts';
import { faultsOfLoad } from './load-books.ts';
import { SteadyLoad, usualOutcomes } from './steady-load.ts';
import { type Random, torture } from './torture.ts';

interface Size {
  /** Faults, one after the other, each of one of the networks. */
  faults: number;
  clients: number;
  /** Pause of a client between two payouts: what comes in while all is well must be less than the bank is sent then. */
  betweenMs: number;
  /** How long each lasts, at the most. */
  mostSeconds: number;
}

type Way = 'shops' | 'database' | 'bank';

/**
 * What a shop may wait for its answer, or its refusal, whatever becomes of the database and the bank: 3 s for a connection,
 * 5 s of silence, two looks with 3 s each, and some room.
 */
const answerWithinMs = 16_000;
/** The networks are well again: everybody is served within. */
const backMs = 10_000;
const fewestSeconds = 2;

/**
 * Faulty networks between shops and server, server and database, server and bank, under load. Nothing is sent twice or
 * lost: the bank's own book is compared. Answers and refusals come in bounded time.
 */
export const network = torture<Size>({
  title: 'faulty networks between shops, server, database and bank',
  short: { faults: 2, clients: 6, betweenMs: 10, mostSeconds: 2 },
  long: { faults: 40, clients: 16, betweenMs: 400, mostSeconds: 20 },
  async run(size, random) {
    const harness = await Harness.open();
    const networks: Partial<Record<Way, FaultyNetwork>> = {};
    try {
      networks.database = await FaultyNetwork.open(portOf(harness.installation.ownerUrl));
      networks.bank = await FaultyNetwork.open(portOf(harness.bank.url));
      const { url, child } = await harness.startProduct('all', {
        DATABASE_URL: networks.database.urlOf(harness.installation.ownerUrl),
        SANDBOX_URL: networks.bank.urlOf(harness.bank.url),
      });
      networks.shops = await FaultyNetwork.open(portOf(url));
      const outcome = await torment(harness, networks as Record<Way, FaultyNetwork>, url, size, random);
      if (child.exitCode !== null) outcome.faults.push(`the product has ended with ${child.exitCode}`);
      return outcome;
    } finally {
      await harness.close();
      for (const each of Object.values(networks)) await each.close();
    }
  },
});

async function torment(
  harness: Harness,
  networks: Record<Way, FaultyNetwork>,
  url: string,
  { faults: times, clients, betweenMs, mostSeconds }: Size,
  random: Random,
) {
  const faults: string[] = [];
  let shopsWellAt = 0;
  const programs = programsOf(harness.merchants, networks.shops.urlOf(url));
  const load = new SteadyLoad({
    merchants: harness.merchants,
    clients,
    random,
    answerWithinMs,
    betweenMs,
    outcomes: [...usualOutcomes, '09'],
    programOf: (merchant: KeyedMerchant) => programs.get(merchant) as ShopProgram,
    mayHang: (begunAt) => begunAt < shopsWellAt,
  });
  await load.goOn(20);
  let slowestBackMs = 0;
  let bankAwayMs = 0;
  const seen: string[] = [];
  for (let number = 0; number < times; number++) {
    const [way, weather] = chosen(random, number);
    seen.push(`${way} ${weather.kind}`);
    if (way === 'shops') shopsWellAt = Number.POSITIVE_INFINITY;
    networks[way].weather = weather;
    const lastsMs = random.between(fewestSeconds, mostSeconds) * 1000;
    // Without its database the server asks nobody.
    if (way !== 'shops') bankAwayMs += lastsMs;
    await pause(lastsMs);
    networks[way].weather = { kind: 'clear' };
    const wellAt = performance.now();
    if (way === 'shops') shopsWellAt = wellAt;
    // As many as there are clients: not one that happened to be well.
    await load.goOn(clients);
    // A shop whose connection was forgotten waits for as long as it likes to.
    const tookMs = performance.now() - wellAt - (way === 'shops' ? answerWithinMs : 0);
    if (tookMs > backMs)
      faults.push(`after ${way} ${weather.kind} it took ${Math.round(tookMs)} ms to go on`);
    slowestBackMs = Math.max(slowestBackMs, tookMs);
  }
  await load.stop();
  for (const each of Object.values(networks)) each.closeForgotten();
  faults.push(...(await faultsOfLoad([load], harness, bankAwayMs)));
  const longestMs = load.longestMs;
  const told = Object.entries(load.results).map(([result, count]) => `${count}× ${result}`);
  const counts = {
    faults: times,
    seen: [...new Set(seen)].join(', '),
    'payouts acknowledged': load.acknowledged.length,
    's without bank or database': Math.round(bankAwayMs / 1000),
    'ms the longest call took': longestMs,
    'ms until it went on': Math.round(slowestBackMs),
    calls: told.join(', '),
  };
  return { counts, faults };
}

const weathers: readonly Weather[] = [
  { kind: 'forgetfulHole' },
  { kind: 'hole' },
  { kind: 'reset', afterBytes: 3000 },
  { kind: 'halfClose' },
  { kind: 'slow', fromMs: 20, toMs: 400 },
  { kind: 'drip', bytes: 40, everyMs: 10 },
];
const ways: readonly Way[] = ['bank', 'database', 'shops'];

/** The first ones are the worst of each network, so that the short form has them, too. */
function chosen(random: Random, number: number): [Way, Weather] {
  const worst = ways[number];
  const [hole] = weathers;
  return worst && hole ? [worst, hole] : [random.of(ways), random.of(weathers)];
}

const portOf = (url: string) => Number(new URL(url).port);
