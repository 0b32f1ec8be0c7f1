import type { Home } from '@hengfu/server/domain/caller.ts';
import { pageStatement } from '@hengfu/server/domain/list-source.sql.ts';
import { type KnownList, knownLists } from '@hengfu/server/testing/known-lists.ts';
import { type FilterSet, filterSetsOf, type SampleRow } from '@hengfu/server/testing/list-filters.ts';
import { explainAnalyze } from '@hengfu/server/testing/plans.ts';
import { serve } from '@hengfu/server/testing/test-installation.ts';
import { signIn } from './console-session.ts';
import { atMost, type Figure, percentile } from './figures.ts';
import type { FilledInstallation } from './filled-installation.ts';

const limitMs = 25;
const deepRows = 10_000;
const warmReads = 20;
/** A read slower than this is repeated, so that a stall of the machine is not blamed on the list. */
const repeatAboveMs = 15;
const explainedReadings = 3;

interface Reading {
  filters: FilterSet;
  place: 'first page' | 'deep';
  ms: number;
}

/** Reads every set of filters of every console list over HTTP, at the first page and 10,000 rows deep. */
export async function measureLists(installation: FilledInstallation): Promise<Figure[]> {
  const product = await serve(installation.ownerUrl, installation.folder);
  try {
    const reader = new Reader(product.url, await signIn(product.url));
    const figures: Figure[] = [
      { name: 'collections of the merchant', value: installation.collections, unit: '' },
    ];
    for (const list of knownLists) figures.push(...(await measureList(installation, reader, list)));
    return figures;
  } finally {
    await product.stop();
  }
}

async function measureList(
  installation: FilledInstallation,
  reader: Reader,
  list: KnownList,
): Promise<Figure[]> {
  const sample = await reader.sampleOf(list);
  const readings: Reading[] = [];
  for (let warm = 0; warm < warmReads; warm++) await reader.read(list, {});
  for (const filters of filterSetsOf(list, sample.row)) {
    readings.push({ filters, place: 'first page', ms: await reader.measure(list, filters) });
    const cursor = sample.deep;
    if (cursor)
      readings.push({ filters, place: 'deep', ms: await reader.measure(list, { ...filters, cursor }) });
  }
  const exact = await measureExact(installation, reader, list, sample.row);
  for (const slow of readings.toSorted((one, other) => other.ms - one.ms).slice(0, explainedReadings))
    await explain(installation, list, slow);
  return [
    ...(['first page', 'deep'] as const).flatMap((place) => {
      const times = readings.filter((reading) => reading.place === place).map(({ ms }) => ms);
      if (times.length === 0) return [];
      const name = `${list.name}, ${place}`;
      return [
        { name: `${name}: sets of filters`, value: times.length, unit: '' },
        { name: `${name}, p50`, value: percentile(times, 0.5), unit: 'ms' },
        atMost(`${name}, p95`, percentile(times, 0.95), 'ms', limitMs),
        { name: `${name}, p99`, value: percentile(times, 0.99), unit: 'ms' },
        { name: `${name}, slowest`, value: Math.max(...times), unit: 'ms' },
      ];
    }),
    ...exact,
  ];
}

/** Measures the sets of filters whose totals the rollup tells. Throws if a total is not exact. */
async function measureExact(
  { runtime, merchant }: FilledInstallation,
  reader: Reader,
  list: KnownList,
  row: SampleRow,
): Promise<Figure[]> {
  const sets = await runtime.services.database.asMerchant(merchant.id, async (tx) => {
    const home = homeOf(merchant);
    const found: FilterSet[] = [];
    for (const filters of filterSetsOf(list, row))
      if ((await list.source(tx, home, filters))?.rollup) found.push(filters);
    return found;
  });
  if (sets.length === 0) return [];
  const times: number[] = [];
  for (const filters of sets) {
    times.push(await reader.measure(list, filters));
    const { total } = await reader.read(list, filters);
    if (!total.exact) throw new Error(`${list.name} ${JSON.stringify(filters)}: the total is not exact`);
  }
  const name = `${list.name}, with exact totals from the rollup`;
  return [
    { name: `${name}: sets of filters`, value: sets.length, unit: '' },
    { name: `${name}, p50`, value: percentile(times, 0.5), unit: 'ms' },
    atMost(`${name}, p95`, percentile(times, 0.95), 'ms', limitMs),
  ];
}

/** Prints the query plan of a reading. */
async function explain(
  { runtime, merchant }: FilledInstallation,
  list: KnownList,
  reading: Reading,
): Promise<void> {
  const plan = await runtime.services.database.asMerchant(merchant.id, async (tx) => {
    const source = await list.source(tx, homeOf(merchant), reading.filters);
    return source && explainAnalyze(tx, pageStatement(source, 21));
  });
  const steps = plan?.map(
    (node) =>
      `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name'] ?? ''} ${node['Actual Rows']} rows` +
      `${node['Rows Removed by Filter'] ? ` (${node['Rows Removed by Filter']} removed)` : ''}`,
  );
  process.stdout.write(
    `${reading.ms.toFixed(1)} ms: ${list.name}, ${reading.place} ${JSON.stringify(reading.filters)}\n    ${steps?.join('\n    ')}\n`,
  );
}

function homeOf({ id: merchantId, code }: FilledInstallation['merchant']): Home {
  return { merchantId, code, name: code, currency: 'CNY', zone: 'Asia/Shanghai' };
}

interface Page {
  data: SampleRow[];
  total: { exact: boolean };
  next: string | null;
}

/** Reads the console's lists with a session, as a browser does. */
class Reader {
  readonly #url: string;
  readonly #cookie: string;

  constructor(url: string, cookie: string) {
    this.#url = url;
    this.#cookie = cookie;
  }

  async read(list: KnownList, filters: FilterSet): Promise<Page> {
    const reply = await fetch(`${this.#url}${list.path}?${new URLSearchParams(filters)}`, {
      headers: { cookie: this.#cookie },
    });
    if (!reply.ok) throw new Error(`${list.path}: ${reply.status} ${await reply.text()}`);
    return reply.json() as Promise<Page>;
  }

  /** Milliseconds to read a page; if that was slow, the minimum of two attempts. */
  async measure(list: KnownList, filters: FilterSet): Promise<number> {
    const first = await this.#timed(list, filters);
    return first <= repeatAboveMs ? first : Math.min(first, await this.#timed(list, filters));
  }

  async #timed(list: KnownList, filters: FilterSet): Promise<number> {
    const startedAt = performance.now();
    await this.read(list, filters);
    return performance.now() - startedAt;
  }

  /** Returns the middle row of the first 200, and the cursor 10,000 rows deep if the list is that long. */
  async sampleOf(list: KnownList): Promise<{ row: SampleRow; deep: string | null }> {
    const first = await this.read(list, { limit: '200' });
    let cursor = first.next;
    for (let depth = 200; depth < deepRows && cursor; depth += 200)
      cursor = (await this.read(list, { limit: '200', cursor })).next;
    const complete = first.data.filter((row) => !Object.values(row).includes(null));
    return { row: complete[Math.floor(complete.length / 2)] ?? first.data[0] ?? {}, deep: cursor };
  }
}
