import { expect, test } from 'vitest';
import { playwrightCounts, stageResult, summary } from './stage.ts';

const spec = (title: string, status: string, ...messages: string[]) => {
  const results = messages.map((message) => ({ errors: [{ message }] }));
  return { title, file: 'a.spec.ts', line: 7, tests: [{ status, results }] };
};

test('the slowest ten files are listed with their seconds, of all stages together', () => {
  const files = Array.from({ length: 12 }, (_, index) => ({
    name: `f${index}.test.ts`,
    durationMs: index * 1000,
  }));
  const story = { name: 'e2e/long.spec.ts', durationMs: 65_432 };
  const lines = summary([
    ['vitest', { passed: 12, failed: 0, files }],
    ['e2e', { passed: 1, failed: 0, files: [story] }],
  ]).split('\n');
  expect(lines.slice(1, 4)).toEqual([
    'Slowest files:',
    '    65.4 s  e2e/long.spec.ts',
    '    11.0 s  f11.test.ts',
  ]);
  expect(lines.slice(10, 13)).toEqual(['     4.0 s  f4.test.ts', '     3.0 s  f3.test.ts', '']);
});

test('Playwright: a file takes as long as all tries of its stories', () => {
  const tried = (file: string, ...durations: number[]) => ({
    ...spec('story', 'expected'),
    file,
    tests: [{ status: 'expected', results: durations.map((duration) => ({ errors: [], duration })) }],
  });
  const stats = { expected: 3, unexpected: 0, flaky: 0 };
  const suites = [{ specs: [tried('a.spec.ts', 1000, 2000), tried('b.spec.ts', 5), tried('a.spec.ts', 10)] }];
  expect(playwrightCounts({ stats, suites }).files).toEqual([
    { name: 'e2e/a.spec.ts', durationMs: 3010 },
    { name: 'e2e/b.spec.ts', durationMs: 5 },
  ]);
});

const skippedSpec = (title: string, description?: string) => ({
  title,
  file: 'a.spec.ts',
  line: 7,
  tests: [{ status: 'skipped', annotations: [{ type: 'skip', description }], results: [] }],
});

test('Playwright: a test that passed at the second try has passed, a skipped one is named with its reason', () => {
  const report = {
    stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 },
    suites: [
      { specs: [], suites: [{ specs: [spec('fails', 'unexpected', 'gone', 'gone again')] }] },
      { specs: [spec('heals', 'flaky', 'slow'), skippedSpec('waits', 'no camera'), skippedSpec('rests')] },
    ],
  };
  expect(playwrightCounts(report)).toEqual({
    passed: 4,
    failed: 1,
    faults: [{ name: 'e2e/a.spec.ts:7 › fails', message: 'gone' }],
    flaky: [{ name: 'e2e/a.spec.ts:7 › heals', message: 'slow' }],
    skipped: [
      { name: 'e2e/a.spec.ts:7 › waits', message: 'no camera' },
      { name: 'e2e/a.spec.ts:7 › rests', message: 'no reason given' },
    ],
    files: [{ name: 'e2e/a.spec.ts', durationMs: 0 }],
  });
});

test('Playwright: what fails outside of any story is a failure', () => {
  const report = {
    stats: { expected: 3, unexpected: 0, flaky: 0 },
    suites: [],
    errors: [{ message: 'no server' }],
  };
  expect(playwrightCounts(report)).toMatchObject({
    failed: 1,
    faults: [{ name: 'outside of any story', message: 'no server' }],
  });
});

test('a run that broke off is a failure, with a report and without', () => {
  const report = { passed: 3, failed: 0 };
  expect(stageResult(report, 1)).toMatchObject({
    passed: 3,
    failed: 1,
    faults: [{ message: 'exit code 1, though no test failed' }],
  });
  expect(stageResult(undefined, 0)).toMatchObject({ passed: 0, failed: 1 });
  expect(stageResult(report, 0)).toEqual(report);
});

test('the last lines of a run name what failed and what needed a second try, then count', () => {
  const flaky = [{ name: 'a › b', message: 'first\nsecond' }];
  const faults = [{ name: 'c › d', message: Array.from({ length: 9 }, (_, line) => line).join('\n') }];
  const lines = summary([
    ['vitest', { passed: 2, failed: 0, flaky }],
    ['e2e', { passed: 1, failed: 1, faults }],
  ]).split('\n');
  expect(lines.slice(1, 4)).toEqual(['At the second try only:', '  a › b', '      first']);
  expect(lines).toContain('      7');
  expect(lines).not.toContain('      8');
  expect(lines.slice(-3)).toEqual([
    'vitest: 2 passed, 0 failed (1 at the second try, named above)',
    'e2e: 1 passed, 1 failed',
    '3 passed, 1 failed',
  ]);
});

test('what was skipped is named with its reason, and counted in each line where there is any', () => {
  const skipped = [{ name: 'supply chain', message: 'signatures: the registry replied 405' }];
  const lines = summary([
    ['check', { passed: 2, failed: 0, skipped }],
    ['e2e', { passed: 1, failed: 0, skipped: [] }],
  ]).split('\n');
  expect(lines).toEqual([
    '',
    'Skipped:',
    '  supply chain',
    '      signatures: the registry replied 405',
    '',
    'check: 2 passed, 0 failed, 1 skipped',
    'e2e: 1 passed, 0 failed',
    '3 passed, 0 failed, 1 skipped',
  ]);
});
