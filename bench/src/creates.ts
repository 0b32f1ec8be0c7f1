import { setTimeout as pause } from 'node:timers/promises';
import { asOwner } from '@hengfu/server/db/owner.ts';
import { atLeast, atMost, type Figure, percentile } from './figures.ts';
import { makeMerchants } from './merchants.ts';
import { measurePgbench } from './pgbench.ts';
import { openBed, serve } from './product.ts';
import { countRoundTrips } from './round-trips.ts';
import { runLoad } from './signed-load.ts';

const clients = 32;
const warmSeconds = 4;
const seconds = 10;
const quietMs = 3000;

/** Signed creates a second over HTTP, each durable, beside pgbench TPC-B on the same PostgreSQL in the same run. */
export async function measureCreates(): Promise<Figure[]> {
  const bed = await openBed();
  try {
    const merchants = await makeMerchants(bed.runtime, 100);
    const keys = merchants.map((merchant) => merchant.key);
    const trips = await measureRoundTrips(bed.ownerUrl, bed.folder, keys.slice(0, 1));
    const product = await serve(bed.ownerUrl, bed.folder);
    const load = (run: string, plan: { keys?: typeof keys; seconds?: number; perSecond?: number } = {}) =>
      runLoad({ url: product.url, keys, clients, seconds, requests: 60_000, run, ...plan });
    await load('warm', { seconds: warmSeconds });
    const yardstick = await measurePgbench(bed.ownerUrl, { clients, seconds });
    await asOwner(bed.ownerUrl, (client) => client.query('checkpoint').catch(() => {}));
    const spread = await load('spread');
    await pause(quietMs);
    const hot = await load('hot', { keys: keys.slice(0, 1) });
    await pause(quietMs);
    const perSecond = Math.round(spread.answered / spread.seconds / 2);
    const paced = await load('paced', { perSecond });
    await product.stop();
    const rate = (result: { answered: number; seconds: number }) => result.answered / result.seconds;
    return [
      ...(yardstick === undefined
        ? []
        : [{ name: 'pgbench TPC-B, prepared, 32 clients', value: yardstick, unit: '/s' }]),
      { name: 'creates, 100 merchants', value: rate(spread), unit: '/s' },
      ...(yardstick === undefined
        ? []
        : [atLeast('creates, 100 merchants, of pgbench', rate(spread) / yardstick, '×', 0.3)]),
      { name: 'creates, one merchant', value: rate(hot), unit: '/s' },
      ...(yardstick === undefined
        ? []
        : [atLeast('creates, one merchant, of pgbench', rate(hot) / yardstick, '×', 0.15)]),
      { name: 'creates at full load, p99', value: percentile(spread.latenciesMs, 0.99), unit: 'ms' },
      atMost(`creates at ${perSecond}/s (half the load), p99`, percentile(paced.latenciesMs, 0.99), 'ms', 50),
      { name: 'database round trips of one create', value: trips, unit: '' },
    ];
  } finally {
    await bed.close();
  }
}

/** Round trips to the database that one warm create takes: the median of some. */
async function measureRoundTrips(
  ownerUrl: string,
  folder: string,
  keys: readonly { id: string; secret: string }[],
): Promise<number> {
  const wire = await countRoundTrips(ownerUrl);
  const product = await serve(wire.url, folder, { PROCESS: 'web' });
  const once = (run: string) => runLoad({ url: product.url, keys, clients: 1, seconds: 5, requests: 1, run });
  const counts: number[] = [];
  for (let number = 0; number < 12; number++) {
    await pause(300);
    wire.take();
    await once(`trips-${number}`);
    counts.push(wire.take());
  }
  await product.stop();
  await wire.close();
  return percentile(counts.slice(2), 0.5);
}
