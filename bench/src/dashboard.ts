import { maxReportDays } from '@hengfu/contract/daily-reports';
import { maxDashboardDays } from '@hengfu/contract/dashboard';
import { maxListedDays } from '@hengfu/contract/listed-days';
import { serve } from '@hengfu/server/testing/test-installation.ts';
import { signIn } from './console-session.ts';
import { atMost, type Figure, percentile } from './figures.ts';
import { type FilledInstallation, openFilledInstallation } from './filled-installation.ts';

const sizeRatio = 10;
/** In a new process, the first hundred calls of a kind take twice as long, until their code is compiled. */
const warmReads = 200;
/** The kinds alternate, so that a disturbance by other work affects all kinds, but few rounds of each. */
const rounds = 7;
const reads = 100;
const limitMs = 10;
/** Ratio by which two runs of the same code may differ. */
const maxGrowth = 1.5;
const offsets = ['+08:00', '+00:00', '-03:30', '+05:45'];
const dayMs = 86_400_000;
/** A week, a month, and the longest report that lists days. */
const reportDays = [7, 31, maxListedDays];

/** Measures a merchant's dashboard and daily report with all orders and a tenth: their cost must not grow. */
export async function measureDashboard(installation: FilledInstallation): Promise<Figure[]> {
  const large = await measureAt(installation);
  const smallInstallation = await openFilledInstallation(installation.collections / sizeRatio);
  const small = await measureAt(smallInstallation).finally(() => smallInstallation.close());
  return [
    { name: 'collections of the merchant', value: installation.collections, unit: '' },
    ...[...large].flatMap(([name, times]) => {
      const growth = median(times, 0.5) / median(small.get(name) ?? [], 0.5);
      return [
        atMost(`${name}, p95, the median of ${rounds} rounds`, median(times, 0.95), 'ms', limitMs),
        { name: `${name}, p95, the slowest round`, value: slowest(times, 0.95), unit: 'ms' },
        atMost(`${name}, median, of what a tenth of the orders costs`, growth, '×', maxGrowth),
      ];
    }),
  ];
}

const perRound = (times: readonly number[][], share: number) =>
  times.map((round) => percentile(round, share));
/** The median over the rounds of a percentile within each round. */
const median = (times: readonly number[][], share: number) => percentile(perRound(times, share), 0.5);
const slowest = (times: readonly number[][], share: number) => Math.max(...perRound(times, share));

/** Measures the calls of each kind, in milliseconds, by round. */
async function measureAt(installation: FilledInstallation): Promise<Map<string, number[][]>> {
  const product = await serve(installation.ownerUrl, installation.folder);
  try {
    const cookie = await signIn(product.url);
    const read = async (paths: readonly string[], count: number) => {
      const times: number[] = [];
      for (let number = 0; number < count; number++) {
        const startedAt = performance.now();
        const path = paths[number % paths.length] ?? '';
        const reply = await fetch(product.url + path, { headers: { cookie } });
        const text = await reply.text();
        if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`);
        times.push(performance.now() - startedAt);
      }
      return times;
    };
    const kinds = calls();
    for (const [, paths] of kinds) await read(paths, warmReads);
    const results = new Map(kinds.map(([name]): [string, number[][]] => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const [name, paths] of kinds) results.get(name)?.push(await read(paths, reads));
    }
    return results;
  } finally {
    await product.stop();
  }
}

/** The paths of each kind of call, by its name; reports rotate through the offsets. */
function calls(): [string, string[]][] {
  const date = (back: number) => new Date(Date.now() - back * dayMs).toISOString().slice(0, 10);
  const report = (days: number, part = '') =>
    offsets.map((offset) => {
      const query = new URLSearchParams({ from: date(days - 1), to: date(0), offset });
      return `/api/merchant/daily-reports${part}?${query}`;
    });
  return [
    ['dashboard', ['/api/merchant/dashboard']],
    ...['', '/outcomes'].flatMap((part) => [
      ...(['days7', 'days30'] as const).map((period): [string, string[]] => [
        `dashboard${part} of ${period}`,
        [`/api/merchant/dashboard${part}?period=${period}`],
      ]),
      [
        `dashboard${part} of ${maxDashboardDays} days`,
        [
          `/api/merchant/dashboard${part}?period=range&from=${date(maxDashboardDays + 3)}&to=${date(4)}`,
          `/api/merchant/dashboard${part}?period=range&from=${date(maxDashboardDays - 1)}&to=${date(0)}`,
        ],
      ] as [string, string[]],
    ]),
    ['dashboard/outcomes of today', ['/api/merchant/dashboard/outcomes']],
    ['dashboard/agenda', ['/api/merchant/dashboard/agenda']],
    ...reportDays.map((days): [string, string[]] => [
      `daily report of ${days} days, ${offsets.length} offsets`,
      report(days),
    ]),
    [
      `daily report of ${maxReportDays} days by month, ${offsets.length} offsets`,
      report(maxReportDays, '/months'),
    ],
  ];
}
