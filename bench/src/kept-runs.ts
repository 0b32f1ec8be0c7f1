import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import {
  describeMachine,
  isTimed,
  type Measured,
  promisesOf,
  rounded,
  spreadOf,
  type Verdict,
} from './figures.ts';

const folder = join(import.meta.dirname, '../runs');
const document = join(import.meta.dirname, '../../docs/benchmarks.md');
/** Whole runs that are kept, the newest ones. */
const maxRuns = 3;

const verdicts = ['kept', 'noise', 'MISSED'] as const satisfies readonly Verdict[];

/** A whole run of the benchmarks: its machine, and what came of each promise. */
const keptRun = z.object({
  at: z.iso.datetime(),
  machine: z.object({ cores: z.number(), model: z.string(), memoryGib: z.number(), node: z.string() }),
  promises: z.array(
    z.object({
      benchmark: z.string(),
      figure: z.string(),
      promise: z.string(),
      unit: z.string(),
      value: z.number(),
      yardstick: z.string(),
      /** The factor between the yardstick's slow and fast measurements; absent if other work cannot change the figure. */
      spread: z.number().optional(),
      verdict: z.enum(verdicts),
    }),
  ),
});

export type KeptRun = z.infer<typeof keptRun>;

/** Reduces a whole run to its promises. */
export function runOf(all: readonly Measured[], at: Date): KeptRun {
  return {
    at: at.toISOString(),
    machine: describeMachine(),
    promises: promisesOf(all).map(({ benchmark, figure, yardstick, verdict }) => ({
      benchmark,
      figure: figure.name,
      promise: figure.promise,
      unit: figure.unit,
      value: figure.value,
      yardstick: yardstick.name,
      ...(isTimed(figure) && { spread: spreadOf(yardstick) }),
      verdict,
    })),
  };
}

/** Keeps a whole run in place of the oldest one, and writes the table of the kept runs into the document. */
export async function keepRun(run: KeptRun): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, `${run.at.replaceAll(':', '-')}.json`),
    `${JSON.stringify(keptRun.parse(run), null, 2)}\n`,
  );
  for (const name of (await namesOfRuns()).slice(0, -maxRuns)) await rm(join(folder, name));
  const text = await readFile(document, 'utf8');
  await writeFile(document, withTable(text, tableOf(await readRuns())));
}

/** Reads the kept runs, oldest first. */
export async function readRuns(): Promise<KeptRun[]> {
  const texts = (await namesOfRuns()).map((name) => readFile(join(folder, name), 'utf8'));
  return (await Promise.all(texts)).map((text) => keptRun.parse(JSON.parse(text)));
}

async function namesOfRuns(): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
}

/** Returns a table of runs in Markdown: a line for each promise, and a column for each run. */
export function tableOf(runs: readonly KeptRun[]): string {
  const lines = new Map<string, { head: string; promises: Set<string>; cells: string[] }>();
  for (const [index, { promises }] of runs.entries())
    for (const one of promises) {
      const head = `| ${one.benchmark} | ${one.figure} |`;
      const line = lines.get(head) ?? { head, promises: new Set<string>(), cells: runs.map(() => '–') };
      line.promises.add(withUnit(one.promise, one.unit));
      line.cells[index] = cellOf(one);
      lines.set(head, line);
    }
  const columns = runs.map(({ at }) => `${at.slice(0, 16).replace('T', ' ')} UTC`);
  return [
    `| benchmark | figure | promise | ${columns.join(' | ')} |`,
    `| --- | --- | --- | ${columns.map(() => '--- |').join(' ')}`,
    ...[...lines.values()].map(
      ({ head, promises, cells }) => `${head} ${[...promises].join(', ')} | ${cells.join(' | ')} |`,
    ),
  ].join('\n');
}

/** The value; if the promise was missed, also the verdict and how much the yardstick varied. */
function cellOf({ value, unit, verdict, yardstick, spread }: KeptRun['promises'][number]): string {
  const shown = withUnit(rounded(value), unit);
  if (verdict === 'kept') return shown;
  const varied = spread === undefined ? '' : `, ${yardstick}: ${rounded(spread)} ×`;
  return `**${shown}** (${verdict === 'noise' ? 'noise' : 'missed'}${varied})`;
}

const withUnit = (text: string, unit: string) => (unit === '' ? text : `${text} ${unit}`);

const [start, end] = ['<!-- runs -->', '<!-- end of runs -->'];

/** Replaces what stands between the marks of a document. Throws if it has none. */
export function withTable(text: string, table: string): string {
  const [before, rest] = text.split(start, 2);
  const [, after] = rest?.split(end, 2) ?? [];
  if (before === undefined || after === undefined) throw new Error(`the document lacks ${start} or ${end}`);
  return `${before}${start}\n\n${table}\n\n${end}${after}`;
}
