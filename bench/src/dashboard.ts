import { maxListedDays, maxReportDays } from '@hengfu/contract/daily-reports';
import { serve } from '@hengfu/server/testing/bed.ts';
import { signIn } from './console-session.ts';
import { atMost, type Figure, percentile } from './figures.ts';
import { type FilledBed, openFilledBed } from './filled-bed.ts';

const smaller = 10;
/** A process that has just begun compiles what it does: it takes twice as long for the first hundred calls of a kind. */
const warmReads = 200;
const reads = 200;
const limitMs = 10;
/** Cost may differ so much between two runs of anything. */
const same = 1.5;
const offsets = ['+08:00', '+00:00', '-03:30', '+05:45'];
const dayMs = 86_400_000;
/** A week, a month, and the longest that is told day by day. */
const reportDays = [7, 31, maxListedDays];

/** Dashboard and daily report of one merchant, at a tenth of the orders and at all: what they cost must not grow with them. */
export async function measureDashboard(bed: FilledBed): Promise<Figure[]> {
  const many = await measureAt(bed);
  const small = await openFilledBed(bed.collections / smaller);
  const few = await measureAt(small).finally(() => small.close());
  return [
    { name: 'collections of the merchant', value: bed.collections, unit: '' },
    ...[...many].flatMap(([name, times]) => {
      const growth = percentile(times, 0.5) / percentile(few.get(name) ?? [], 0.5);
      return [
        atMost(`${name}, p95`, percentile(times, 0.95), 'ms', limitMs),
        atMost(`${name}, median, of what a tenth of the orders costs`, growth, '×', same),
      ];
    }),
  ];
}

/** What each call took, time after time, in milliseconds. */
async function measureAt(bed: FilledBed): Promise<Map<string, number[]>> {
  const product = await serve(bed.ownerUrl, bed.folder);
  try {
    const cookie = await signIn(product.url);
    const found = new Map<string, number[]>();
    for (const [name, paths] of calls()) {
      const times: number[] = [];
      for (let number = 0; number < warmReads + reads; number++) {
        const startedAt = performance.now();
        const path = paths[number % paths.length] ?? '';
        const answer = await fetch(product.url + path, { headers: { cookie } });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
        if (number >= warmReads) times.push(performance.now() - startedAt);
      }
      found.set(name, times);
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
