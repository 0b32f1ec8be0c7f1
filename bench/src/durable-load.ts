import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { asOwner } from '@hengfu/server/db/owner.ts';
import { type KeyedMerchant, makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import {
  type EmbeddedInstallation,
  openTestInstallation,
  type Served,
  serve,
  type TestInstallation,
} from '@hengfu/server/testing/test-installation.ts';
import { measureInserts } from './durable-inserts.sql.ts';
import { atLeast, atMost, type Figure, percentile } from './figures.ts';
import { openPgbench } from './pgbench.ts';
import { withProcessorTime } from './processor-time.ts';
import { openCountingProxy } from './round-trips.ts';
import type { SignedCall } from './signed-calls.ts';
import { type LoadPlan, type LoadResult, runLoad } from './signed-load.ts';

/** A load of signed calls whose orders are durable when the reply is sent. */
export interface DurableLoad {
  call: SignedCall;
  /** Name of the orders in the figures. */
  name: string;
  /** Settings of the server process. */
  env?: NodeJS.ProcessEnv;
  /** Prepares the merchants before the measurement. */
  prepare?(installation: TestInstallation, merchants: readonly KeyedMerchant[]): Promise<void>;
  /** Checks the database against the number of successful replies. */
  judge(installation: TestInstallation, answered: number): Promise<Figure[]>;
  /** Duration of each measured run. */
  seconds?: number;
}

const merchantCount = 100;
/** One for each merchant. */
const clients = merchantCount;
/** So few make small batches; measured beside the promise. */
const fewClients = 32;
const warmSeconds = 4;
const defaultSeconds = 10;
/** After a checkpoint, PostgreSQL writes each page in full when it first changes, which takes some seconds to die down. */
const rampSeconds = 4;
/** Runs at half the load and bare inserts take turns: a minute in which the machine is slow affects both. */
const pacedTurns = 3;
const quietMs = 3000;
const maxPerSecond = 9000;
const tripSamples = 12;
/** The usual limit of a merchant's calls would stop the hot one. */
const manyCalls = { SIGNED_CALLS_PER_MINUTE: '1000000' };
/** A p99 may be as many times that of a bare insert, on a machine where that is slow. */
const promises = { spread: 0.6, hot: 0.4, pacedMs: 25, pacedToInserts: 5 };

/** Measures durable orders per second over HTTP, and pgbench TPC-B on the same PostgreSQL in the same run. */
export async function measureDurable(plan: DurableLoad): Promise<Figure[]> {
  const { name, seconds = defaultSeconds } = plan;
  const installation = await openTestInstallation();
  try {
    const merchants = await makeMerchants(installation.runtime, merchantCount);
    await plan.prepare?.(installation, merchants);
    const keys = merchants.map((merchant) => merchant.key);
    const loads = new Loads(plan.call);
    const trips = await measureRoundTrips(installation, loads, keys.slice(0, 1));
    const product = await serve(installation.ownerUrl, installation.folder, { ...manyCalls, ...plan.env });
    const load = (overrides: object = {}) => loads.run({ url: product.url, keys, seconds, ...overrides });
    await load({ seconds: warmSeconds });
    // With fewer branches than clients, its transactions would mostly wait for each other.
    const pgbench = await openPgbench(installation.ownerUrl, { scale: clients });
    const runPgbench = async (count: number) => {
      await settle(installation);
      return pgbench?.run({ clients: count, seconds });
    };
    const before = await runPgbench(clients);
    const withFew = await runPgbench(fewClients);
    const measured = {
      serverPid: product.process.pid ?? 0,
      clusterFolder: join(installation.folder, 'postgres/cluster'),
    };
    await settle(installation);
    const { result: spread, figures: processorTime } = await withProcessorTime(
      measured,
      load,
      ({ answered }) => answered,
    );
    await settle(installation);
    const few = await load({ clients: fewClients });
    await settle(installation);
    const hot = await load({ keys: keys.slice(0, 1) });
    const perSecond = Math.round(rateOf(spread) / 2);
    const { pacedMs, insertsMs } = await measurePaced(installation, product, {
      load: () => load({ perSecond, rampSeconds }),
      inserts: { clients, seconds, perSecond },
    });
    await product.stop();
    await settle(installation);
    const rates = [before, await runPgbench(clients)].filter((rate) => rate !== undefined);
    const yardstick = { name: 'pgbench, before and after', values: rates, unit: '/s' };
    const rate = rates.reduce((sum, one) => sum + one, 0) / rates.length;
    const ratio = (label: string, result: LoadResult, limit: number) =>
      pgbench ? [atLeast(`${label}, of pgbench`, rateOf(result) / rate, '×', limit, yardstick)] : [];
    const insertMs = percentile(insertsMs, 0.99);
    return [
      ...rates.map((value) => ({ name: `pgbench TPC-B, prepared, ${clients} clients`, value, unit: '/s' })),
      { name: `${name}, ${merchantCount} merchants, ${clients} clients`, value: rateOf(spread), unit: '/s' },
      ...ratio(`${name}, ${merchantCount} merchants, ${clients} clients`, spread, promises.spread),
      ...figuresOfFew(name, rateOf(few), withFew),
      { name: `${name}, one merchant, ${clients} clients`, value: rateOf(hot), unit: '/s' },
      ...ratio(`${name}, one merchant, ${clients} clients`, hot, promises.hot),
      ...processorTime.map((figure) => ({
        ...figure,
        name: `processor time of one of the ${name}: ${figure.name}`,
      })),
      { name: `${name} at full load, p99`, value: percentile(spread.latenciesMs, 0.99), unit: 'ms' },
      { name: 'half the load', value: perSecond, unit: '/s' },
      { name: 'bare durable inserts at half the load, p99', value: insertMs, unit: 'ms' },
      atMost(
        `${name} at half the load, ${clients} clients, p99`,
        percentile(pacedMs, 0.99),
        'ms',
        Math.max(promises.pacedMs, promises.pacedToInserts * insertMs),
      ),
      { name: `database round trips of one of the ${name}`, value: trips, unit: '' },
      ...(await plan.judge(installation, loads.answered)),
    ];
  } finally {
    await installation.close();
  }
}

/** Milliseconds of calls at a fixed rate and of bare inserts at the same rate, in turns. */
async function measurePaced(
  installation: EmbeddedInstallation,
  product: Served,
  { load, inserts }: { load: () => Promise<LoadResult>; inserts: Parameters<typeof measureInserts>[1] },
): Promise<{ pacedMs: number[]; insertsMs: number[] }> {
  const pacedMs: number[] = [];
  const insertsMs: number[] = [];
  for (let turn = 0; turn < pacedTurns; turn++) {
    await settle(installation);
    pacedMs.push(...(await load()).latenciesMs);
    await settle(installation);
    // The product would do some background work meanwhile.
    product.process.kill('SIGSTOP');
    try {
      insertsMs.push(...(await measureInserts(installation.ownerUrl, inserts)));
    } finally {
      product.process.kill('SIGCONT');
    }
  }
  return { pacedMs, insertsMs };
}

/**
 * Prepares a measured run: it writes to old WAL segments, as in a cluster that has run for some minutes, no checkpoint falls into it, and no table
 * needs a vacuum or statistics yet: those of young tables that grow fast take a processor for up to a second of each minute.
 */
async function settle({ superuserUrl }: EmbeddedInstallation): Promise<void> {
  await asOwner(superuserUrl, async (superuser) => {
    await superuser.query('vacuum (analyze)');
    await superuser.query('checkpoint');
  });
  await pause(quietMs);
}

/** Returns what few clients reach, beside pgbench with as many. Nothing is promised about it. */
function figuresOfFew(name: string, rate: number, pgbenchRate: number | undefined): Figure[] {
  const label = `${name}, ${merchantCount} merchants, ${fewClients} clients`;
  return [
    { name: label, value: rate, unit: '/s' },
    ...(pgbenchRate === undefined
      ? []
      : [{ name: `${label}, of pgbench`, value: rate / pgbenchRate, unit: '×' }]),
  ];
}

const rateOf = ({ answered, seconds }: LoadResult) => answered / seconds;

/** Runs loads of one kind of call. No two runs use the same order numbers. */
class Loads {
  answered = 0;
  readonly #call: SignedCall;
  #first = 0;

  constructor(call: SignedCall) {
    this.#call = call;
  }

  async run(
    plan: Pick<LoadPlan, 'url' | 'keys' | 'seconds' | 'perSecond' | 'rampSeconds'> &
      Partial<Pick<LoadPlan, 'clients' | 'requests'>>,
  ): Promise<LoadResult> {
    // No more than it can send: preparing them takes time and memory.
    const seconds = plan.seconds + (plan.rampSeconds ?? 0);
    const { requests = Math.ceil(seconds * (plan.perSecond ?? maxPerSecond)) } = plan;
    const first = this.#first;
    this.#first += requests;
    const result = await runLoad({ clients, ...plan, call: this.#call, requests, first });
    this.answered += result.answered;
    return result;
  }
}

/** Returns the median number of database round trips of a single warm call. */
async function measureRoundTrips(
  installation: TestInstallation,
  loads: Loads,
  keys: readonly KeyedMerchant['key'][],
): Promise<number> {
  const proxy = await openCountingProxy(installation.ownerUrl);
  const product = await serve(proxy.url, installation.folder, { PROCESS: 'web' });
  const counts: number[] = [];
  for (let number = 0; number < tripSamples; number++) {
    await pause(300);
    proxy.take();
    await loads.run({ url: product.url, keys, clients: 1, seconds: 5, requests: 1 });
    counts.push(proxy.take());
  }
  await product.stop();
  await proxy.close();
  return percentile(counts.slice(2), 0.5);
}
