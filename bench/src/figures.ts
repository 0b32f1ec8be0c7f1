import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

/** One line of a benchmark's table. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** The promised limit; absent for a yardstick or a detail. */
  promise?: string;
  /** Whether the promise was kept; absent if there is none. */
  holds?: boolean;
}

/** A figure that must not exceed a limit. */
export function atMost(name: string, value: number, unit: string, limit: number): Figure {
  return { name, value, unit, promise: `≤ ${limit}`, holds: value <= limit };
}

/** A figure that must not fall below a limit. */
export function atLeast(name: string, value: number, unit: string, limit: number): Figure {
  return { name, value, unit, promise: `≥ ${limit}`, holds: value >= limit };
}

/** The value that a share of the samples does not exceed; `share` from 0 to 1. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Prints a benchmark's table. */
export function printFigures(title: string, figures: readonly Figure[]): void {
  process.stdout.write(`\n${title}\n\n| figure | value | promise | holds |\n| --- | ---: | --- | --- |\n`);
  for (const { name, value, unit, promise = '', holds } of figures) {
    const verdict = holds === undefined ? '' : holds ? 'yes' : 'NO';
    process.stdout.write(`| ${name} | ${rounded(value)} ${unit} | ${promise} | ${verdict} |\n`);
  }
}

/** Writes a benchmark's figures and a description of the machine to `bench/results/<name>.json`. */
export async function saveFigures(name: string, figures: readonly Figure[]): Promise<void> {
  const folder = join(import.meta.dirname, '../results');
  await mkdir(folder, { recursive: true });
  const machine = {
    cores: cpus().length,
    model: cpus()[0]?.model ?? 'unknown',
    memoryGib: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
  };
  const text = JSON.stringify({ name, at: new Date().toISOString(), machine, figures }, null, 2);
  await writeFile(join(folder, `${name}.json`), `${text}\n`);
}

function rounded(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
