import { maxListedDays, maxReportDays } from '@hengfu/contract/daily-reports';
import { serve } from '@hengfu/server/testing/test-installation.ts';
import { signIn } from './console-session.ts';
import { atMost, type Figure, percentile } from './figures.ts';
import { type FilledInstallation, openFilledInstallation } from './filled-installation.ts';

const smaller = 10;
/** A process that has just begun compiles what it does: it takes twice as long for the first hundred calls of a kind. */
const warmReads = 200;
/** Kinds take turns, so that something else's seconds of work fall on all of them, and on few of their rounds. */
const rounds = 7;
const reads = 100;
const limitMs = 10;
/** Cost may differ so much between two runs of anything. */
const same = 1.5;
const offsets = ['+08:00', '+00:00', '-03:30', '+05:45'];
const dayMs = 86_400_000;
/** A week, a month, and the longest that is told day by day. */
const reportDays = [7, 31, maxListedDays];

/** Dashboard and daily report of one merchant, at a tenth of the orders and at all: what they cost must not grow with them. */
export async function measureDashboard(installation: FilledInstallation): Promise<Figure[]> {
  const many = await measureAt(installation);
  const small = await openFilledInstallation(installation.collections / smaller);
  const few = await measureAt(small).finally(() => small.close());
  return [
    { name: 'collections of the merchant', value: installation.collections, unit: '' },
    ...[...many].flatMap(([name, times]) => {
      const growth = median(times, 0.5) / median(few.get(name) ?? [], 0.5);
      return [
        atMost(`${name}, p95, the median of ${rounds} rounds`, median(times, 0.95), 'ms', limitMs),
        { name: `${name}, p95, the slowest round`, value: slowest(times, 0.95), unit: 'ms' },
        atMost(`${name}, median, of what a tenth of the orders costs`, growth, '×', same),
      ];
    }),
  ];
}

const ofEach = (times: readonly number[][], share: number) => times.map((round) => percentile(round, share));
/** A percentile of a round, as the middle one of the rounds has it. */
const median = (times: readonly number[][], share: number) => percentile(ofEach(times, share), 0.5);
const slowest = (times: readonly number[][], share: number) => Math.max(...ofEach(times, share));

/** What each call took, round after round, in milliseconds. */
async function measureAt(installation: FilledInstallation): Promise<Map<string, number[][]>> {
  const product = await serve(installation.ownerUrl, installation.folder);
  try {
    const cookie = await signIn(product.url);
    const read = async (paths: readonly string[], count: number) => {
      const times: number[] = [];
      for (let number = 0; number < count; number++) {
        const startedAt = performance.now();
        const path = paths[number % paths.length] ?? '';
        const answer = await fetch(product.url + path, { headers: { cookie } });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
        times.push(performance.now() - startedAt);
      }
      return times;
    };
    const kinds = calls();
    for (const [, paths] of kinds) await read(paths, warmReads);
    const found = new Map(kinds.map(([name]): [string, number[][]] => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const [name, paths] of kinds) found.get(name)?.push(await read(paths, reads));
    }
    return found;
  } finally {
    await product.stop();
  }
}

/** What is asked for: each under its name, over and over under all the offsets. */
function calls(): [string, string[]][] {
  const date = (back: number) => new Date(Date.now() - back * dayMs).toISOString().slice(0, 10);
  const report = (days: number, part = '') =>
    offsets.map((offset) => {
      const query = new URLSearchParams({ from: date(days - 1), to: date(0), offset });
      return `/api/merchant/daily-reports${part}?${query}`;
    });
  return [
    ['dashboard', ['/api/merchant/dashboard']],
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
