import type { Scrolling } from './batch-scroll.ts';
import type { ColdFigures } from './cold-page.ts';
import { atMost, type Figure, percentile, type Yardstick } from './figures.ts';
import type { Click } from './warm-click.ts';

/** Limits of a page; times are multiples of the bare page's. */
export interface Budget {
  name: string;
  ratio: number;
  mainThreadRatio: number;
  wireKb: number;
}

/** The loads of one version of the console, in each round. */
export interface Loads {
  /** Cold loads by the page's name. */
  cold: Map<string, ColdFigures[]>;
  clicks: Click[];
  scrollings: Scrolling[];
}

const maxRequests = 12;
const maxBlockingMs = 200;
const maxClickMs = 150;
const maxTaskMs = 100;

type Reading = (load: ColdFigures) => number;

const mainThreadMs: Reading = ({ scriptMs, styleMs, layoutMs }) => scriptMs + styleMs + layoutMs;
const readyMs: Reading = (load) => load.readyMs;

const median = (loads: readonly ColdFigures[], reading: Reading) => percentile(loads.map(reading), 0.5);

/** Judges the medians of each page. The bare page's loads in the same rounds are the yardstick of every time. */
export function budgetFigures(
  budgets: readonly Budget[],
  bare: readonly ColdFigures[],
  { cold, clicks, scrollings }: Loads,
): Figure[] {
  const ready = yardstickOf('bare page, ready', bare, readyMs);
  const work = yardstickOf('bare page, main thread', bare, mainThreadMs);
  return [
    { name: 'bare React page: ready', value: median(bare, readyMs), unit: 'ms' },
    { name: 'bare React page: main thread', value: median(bare, mainThreadMs), unit: 'ms' },
    { name: 'bare React page: over the wire', value: median(bare, ({ wireKb }) => wireKb), unit: 'KB' },
    ...budgets.flatMap((budget) => {
      const loads = cold.get(budget.name) ?? [];
      return [...timesOf(budget, loads, bare, { ready, work }), ...trafficOf(budget, loads)];
    }),
    atMost('menu click to first row', medianOf(clicks, 'rowMs'), 'ms', maxClickMs, ready),
    { name: 'menu click: main thread', value: medianOf(clicks, 'mainThreadMs'), unit: 'ms' },
    atMost('batch editor, scrolled: longest task', medianOf(scrollings, 'stepMs'), 'ms', maxTaskMs, ready),
    atMost('batch editor, jumped: longest task', medianOf(scrollings, 'jumpMs'), 'ms', maxTaskMs, ready),
  ];
}

function medianOf<K extends string>(measured: readonly Record<K, number>[], name: K): number {
  return percentile(
    measured.map((each) => each[name]),
    0.5,
  );
}

function timesOf(
  { name, ratio, mainThreadRatio }: Budget,
  loads: readonly ColdFigures[],
  bare: readonly ColdFigures[],
  { ready, work }: { ready: Yardstick; work: Yardstick },
): Figure[] {
  const ofBare = (reading: Reading) => median(loads, reading) / median(bare, reading);
  const parts: [string, Reading][] = [
    ['script', ({ scriptMs }) => scriptMs],
    ['style', ({ styleMs }) => styleMs],
    ['layout', ({ layoutMs }) => layoutMs],
  ];
  return [
    { name: `${name}: ready`, value: median(loads, readyMs), unit: 'ms' },
    atMost(`${name}: ready, of the bare page`, ofBare(readyMs), '×', ratio, ready),
    atMost(`${name}: main thread, of the bare page`, ofBare(mainThreadMs), '×', mainThreadRatio, work),
    ...parts.map(([part, reading]) => ({
      name: `${name}: main thread, ${part}`,
      value: median(loads, reading),
      unit: 'ms',
    })),
    atMost(
      `${name}: blocking time`,
      median(loads, ({ blockingMs }) => blockingMs),
      'ms',
      maxBlockingMs,
      ready,
    ),
  ];
}

function trafficOf({ name, wireKb }: Budget, loads: readonly ColdFigures[]): Figure[] {
  return [
    atMost(
      `${name}: over the wire`,
      median(loads, (load) => load.wireKb),
      'KB',
      wireKb,
    ),
    atMost(
      `${name}: requests`,
      median(loads, ({ requests }) => requests),
      '',
      maxRequests,
    ),
  ];
}

function yardstickOf(name: string, bare: readonly ColdFigures[], reading: Reading): Yardstick {
  return { name, values: bare.map(reading), unit: 'ms' };
}

/** Compares two versions: the median of each round's ratio, this version's to the other's, with the least and the greatest. */
export function comparison(budgets: readonly Budget[], own: Loads, other: Loads): Figure[] {
  const readings: [string, Reading][] = [
    ['ready', readyMs],
    ['main thread', mainThreadMs],
    ['over the wire', ({ wireKb }) => wireKb],
    ['requests', ({ requests }) => requests],
  ];
  const figures = budgets.flatMap(({ name }) =>
    readings.flatMap(([what, reading]) => {
      const [ours, theirs] = [own, other].map(({ cold }) => (cold.get(name) ?? []).map(reading));
      return ratiosOf(`${name}: ${what}`, ours ?? [], theirs ?? []);
    }),
  );
  const blocking = budgets.map(({ name }) => ({
    name: `other version, ${name}: blocking time`,
    value: median(other.cold.get(name) ?? [], ({ blockingMs }) => blockingMs),
    unit: 'ms',
  }));
  const [ours, theirs] = [own, other].map(({ clicks }) => clicks.map(({ mainThreadMs }) => mainThreadMs));
  return [...figures, ...ratiosOf('menu click: main thread', ours ?? [], theirs ?? []), ...blocking];
}

function ratiosOf(name: string, own: readonly number[], other: readonly number[]): Figure[] {
  const ratios = own.map((value, round) => value / (other[round] ?? Number.NaN));
  const shares: [string, number][] = [
    ['least', 0],
    ['median', 0.5],
    ['greatest', 1],
  ];
  return shares.map(([which, share]) => ({
    name: `${name}, of the other version, ${which}`,
    value: percentile(ratios, share),
    unit: '×',
  }));
}
