import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atLeast, atMost, type Measured } from './figures.ts';
import { readRuns, runOf, tableOf, withTable } from './kept-runs.ts';

const machine = { name: 'a loop', values: [10, 12], unit: 'ms' };
const measured = (ms: number, kilobytes: number): Measured[] => [
  {
    name: 'console',
    title: 'The console',
    machine,
    figures: [
      { name: 'a detail', value: 1, unit: '' },
      atMost('ready', ms, 'ms', 100),
      atMost('over the wire', kilobytes, 'KB', 160),
    ],
  },
];

test('the table has a line for each promise and a column for each run, with the yardstick beside what was missed', () => {
  const others = measured(1, 1).map((one) => ({ ...one, figures: [atLeast('rate', 3, '/s', 2)] }));
  const runs = [
    runOf(measured(110, 150), new Date('2026-01-02T03:04:05Z')),
    runOf(measured(200, 170), new Date('2026-01-02T05:04:05Z')),
    runOf(others, new Date('2026-01-02T07:04:05Z')),
  ];
  expect(tableOf(runs)).toBe(`\
| benchmark | figure | promise | 2026-01-02 03:04 UTC | 2026-01-02 05:04 UTC | 2026-01-02 07:04 UTC |
| --- | --- | --- | --- | --- | --- |
| console | ready | ≤ 100 ms | **110 ms** (noise, a loop: 1.2 ×) | **200 ms** (missed, a loop: 1.2 ×) | – |
| console | over the wire | ≤ 160 KB | 150 KB | **170 KB** (missed) | – |
| console | rate | ≥ 2 /s | – | – | 3 /s |`);
});

test('the document shows the runs that are kept', async () => {
  const text = await readFile(join(import.meta.dirname, '../../docs/benchmarks.md'), 'utf8');
  const runs = await readRuns();
  expect(runs.length).toBeGreaterThan(0);
  expect(text).toBe(withTable(text, tableOf(runs)));
});
