import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

/** Something of known cost, measured several times in the run of a figure. */
export interface Yardstick {
  name: string;
  /** In the unit of the yardstick. */
  values: readonly number[];
  unit: string;
}

/** One line of a benchmark's table. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** The promised limit; absent for a yardstick or a detail. */
  promise?: string;
  /** By what factor the promise was missed; at most 1 if it was kept; absent if there is none. */
  missedBy?: number;
  /** The yardstick of this figure; absent if it is that of the whole benchmark. */
  yardstick?: Yardstick;
}

/** A figure that must not exceed a limit. */
export function atMost(
  name: string,
  value: number,
  unit: string,
  limit: number,
  yardstick?: Yardstick,
): Figure {
  const missedBy = value <= limit ? 1 : value / limit;
  return { name, value, unit, promise: `≤ ${rounded(limit)}`, missedBy, ...(yardstick && { yardstick }) };
}

/** A figure that must not fall below a limit. */
export function atLeast(
  name: string,
  value: number,
  unit: string,
  limit: number,
  yardstick?: Yardstick,
): Figure {
  const missedBy = value >= limit ? 1 : limit / value;
  return { name, value, unit, promise: `≥ ${rounded(limit)}`, missedBy, ...(yardstick && { yardstick }) };
}

/** The value that a share of the samples does not exceed; `share` from 0 to 1. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Whether a promise was kept, was missed by no more than its yardstick varied in the same run, or was missed. */
export type Verdict = 'kept' | 'noise' | 'MISSED';

/** Units that a busy machine changes. Bytes, requests and counts are the product's own. */
const timed = new Set(['ms', 's', 'min', '/s', '×']);

/** Whether other work on the machine can change a figure. */
export const isTimed = ({ unit }: Figure) => timed.has(unit);

/**
 * Judges a figure; undefined if it promises nothing.
 * @param machine the yardstick of figures without one of their own
 */
export function verdictOf({ missedBy, unit, yardstick }: Figure, machine: Yardstick): Verdict | undefined {
  if (missedBy === undefined) return undefined;
  if (missedBy <= 1) return 'kept';
  return timed.has(unit) && missedBy <= spreadOf(yardstick ?? machine) ? 'noise' : 'MISSED';
}

const manySamples = 20;

/** The factor between a yardstick's slow and fast measurements: of the 95th and 5th percentile if there are many. */
export function spreadOf({ values }: Yardstick): number {
  const tail = values.length < manySamples ? 0 : 0.05;
  return percentile(values, 1 - tail) / percentile(values, Math.max(tail, Number.EPSILON));
}

/** A benchmark that has run. */
export interface Measured {
  name: string;
  title: string;
  figures: readonly Figure[];
  /** A fixed piece of work, measured before and after the benchmark. */
  machine: Yardstick;
}

/** Prints all figures of a benchmark. */
export function printFigures({ title, figures, machine }: Measured): void {
  const lines = figures.map(
    (figure) =>
      `| ${figure.name} | ${rounded(figure.value)} ${figure.unit} | ${figure.promise ?? ''} | ${verdictOf(figure, machine) ?? ''} |`,
  );
  const head = ['| figure | value | promise | verdict |', '| --- | ---: | --- | --- |'];
  print([`\n${title}\n`, ...head, ...lines, '', yardstickLine(machine)]);
}

/** A figure that promises something, and what came of it. */
export interface JudgedPromise {
  benchmark: string;
  figure: Figure & { promise: string };
  yardstick: Yardstick;
  verdict: Verdict;
}

/** Returns every promise of benchmarks, judged by its own yardstick, or by that of its benchmark. */
export function promisesOf(all: readonly Measured[]): JudgedPromise[] {
  return all.flatMap(({ name, figures, machine }) =>
    figures.flatMap((figure) => {
      const verdict = verdictOf(figure, machine);
      const { promise, yardstick = machine } = figure;
      if (verdict === undefined || promise === undefined) return [];
      return [{ benchmark: name, figure: { ...figure, promise }, yardstick, verdict }];
    }),
  );
}

/** Prints every promise of all benchmarks in one table, with the yardstick of each and its spread. */
export function printReport(all: readonly Measured[]): void {
  const promises = promisesOf(all);
  const lines = promises.map(({ benchmark, figure, yardstick, verdict }) => {
    const spread = isTimed(figure) ? `${yardstick.name}: ${rounded(spreadOf(yardstick))} ×` : '–';
    return `| ${benchmark} | ${figure.name} | ${figure.promise} ${figure.unit} | ${rounded(figure.value)} ${figure.unit} | ${spread} | ${verdict} |`;
  });
  const count = (wanted: Verdict) => promises.filter(({ verdict }) => verdict === wanted).length;
  print([
    '\nAll promises\n',
    '| benchmark | figure | promise | measured | yardstick: its spread | verdict |',
    '| --- | --- | --- | ---: | --- | --- |',
    ...lines,
    '',
    `${count('kept')} kept, ${count('noise')} missed by no more than their yardstick varied (noise), ${count('MISSED')} missed`,
  ]);
}

/** Describes the machine on which a benchmark runs. */
export function describeMachine() {
  return {
    cores: cpus().length,
    model: cpus()[0]?.model ?? 'unknown',
    memoryGib: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
  };
}

/** Writes a benchmark's figures and a description of the machine to `bench/results/<name>.json`. */
export async function saveFigures({ name, figures, machine: yardstick }: Measured): Promise<void> {
  const folder = join(import.meta.dirname, '../results');
  await mkdir(folder, { recursive: true });
  const machine = { ...describeMachine(), yardstick };
  const judged = figures.map((figure) => ({ ...figure, verdict: verdictOf(figure, yardstick) }));
  const text = JSON.stringify({ name, at: new Date().toISOString(), machine, figures: judged }, null, 2);
  await writeFile(join(folder, `${name}.json`), `${text}\n`);
}

function yardstickLine({ name, values, unit }: Yardstick): string {
  const [best, median, worst] = [0.05, 0.5, 0.95].map((share) => rounded(percentile(values, share)));
  return `Yardstick, ${name}: 5th percentile, median and 95th ${best}, ${median}, ${worst} ${unit}`;
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Writes a value with three digits, or in full from 100 on. */
export function rounded(value: number): string {
  if (value === 0) return '0';
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}
