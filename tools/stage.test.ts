import { expect, test } from 'vitest';
import { refuseSkips } from './skips.ts';
import { leftToBuildServers, playwrightCounts, stageResult, summary, withSkip } from './stage.ts';

const spec = (title: string, status: string, ...messages: string[]) => {
  const results = messages.map((message) => ({ errors: [{ message }] }));
  return { title, file: 'a.spec.ts', line: 7, tests: [{ status, results }] };
};

test('lists the ten slowest files of all stages, in seconds', () => {
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

test('Playwright: adds up all attempts of a file’s tests', () => {
  const withAttempts = (file: string, ...durations: number[]) => ({
    ...spec('story', 'expected'),
    file,
    tests: [{ status: 'expected', results: durations.map((duration) => ({ errors: [], duration })) }],
  });
  const stats = { expected: 3, unexpected: 0, flaky: 0 };
  const specs = [
    withAttempts('a.spec.ts', 1000, 2000),
    withAttempts('b.spec.ts', 5),
    withAttempts('a.spec.ts', 10),
  ];
  const suites = [{ specs }];
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

test('Playwright: counts a pass on retry as passed, and names a skipped test with its reason', () => {
  const report = {
    stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 },
    suites: [
      { specs: [], suites: [{ specs: [spec('fails', 'unexpected', 'gone', 'gone again')] }] },
      { specs: [spec('recovers', 'flaky', 'slow'), skippedSpec('waits', 'no camera'), skippedSpec('rests')] },
    ],
  };
  expect(playwrightCounts(report)).toEqual({
    passed: 4,
    failed: 1,
    failures: [{ name: 'e2e/a.spec.ts:7 › fails', message: 'gone' }],
    flaky: [{ name: 'e2e/a.spec.ts:7 › recovers', message: 'slow' }],
    skipped: [
      { name: 'e2e/a.spec.ts:7 › waits', message: 'no camera' },
      { name: 'e2e/a.spec.ts:7 › rests', message: 'no reason given' },
    ],
    files: [{ name: 'e2e/a.spec.ts', durationMs: 0 }],
  });
});

test('Playwright: reports a failure outside of any test', () => {
  const report = {
    stats: { expected: 3, unexpected: 0, flaky: 0 },
    suites: [],
    errors: [{ message: 'no server' }],
  };
  expect(playwrightCounts(report)).toMatchObject({
    failed: 1,
    failures: [{ name: 'outside of any test', message: 'no server' }],
  });
});

test('counts a crashed run as a failure, with or without a report', () => {
  const report = { passed: 3, failed: 0 };
  expect(stageResult(report, 1)).toMatchObject({
    passed: 3,
    failed: 1,
    failures: [{ message: 'exit code 1 although no test failed' }],
  });
  expect(stageResult(undefined, 0)).toMatchObject({ passed: 0, failed: 1 });
  expect(stageResult(report, 0)).toEqual(report);
});

test('ends with the failed and flaky tests, then the counts', () => {
  const flaky = [{ name: 'a › b', message: 'first\nsecond' }];
  const failures = [{ name: 'c › d', message: Array.from({ length: 9 }, (_, line) => line).join('\n') }];
  const lines = summary([
    ['vitest', { passed: 2, failed: 0, flaky }],
    ['e2e', { passed: 1, failed: 1, failures }],
  ]).split('\n');
  expect(lines.slice(1, 4)).toEqual(['Passed only on retry:', '  a › b', '      first']);
  expect(lines).toContain('      7');
  expect(lines).not.toContain('      8');
  expect(lines.slice(-3)).toEqual([
    'vitest: 2 passed, 0 failed (1 only on retry, listed above)',
    'e2e: 1 passed, 1 failed',
    '3 passed, 1 failed',
  ]);
});

test('names skipped tests with their reasons, and counts them only in stages that have any', () => {
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

test('a part that could not run counts as skipped, by its name', () => {
  const skip = { name: 'ui', message: 'package: there is no Chromium' };
  const result = withSkip({ passed: 3, failed: 0, skipped: [{ name: 'a', message: 'b' }] }, skip);
  expect(result.skipped).toEqual([{ name: 'a', message: 'b' }, skip]);
  expect(summary([['vitest', result]])).toContain('3 passed, 0 failed, 2 skipped');
});

test('a stage that is left to build servers is named and counted as skipped, and would fail their run', () => {
  const left = leftToBuildServers('sdk');
  const text = summary([
    ['vitest', { passed: 3, failed: 0 }],
    ['sdk', left],
  ]);
  expect(text).toContain('  sdk\n      time: it takes packages and time');
  expect(text).toContain('\n3 passed, 0 failed, 1 skipped');
  expect(refuseSkips(left, 'unreachable').failed).toBe(1);
});
