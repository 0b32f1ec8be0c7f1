import { expect, test } from 'vitest';
import { playwrightCounts, stageResult, summary } from './stage.ts';

const spec = (title: string, status: string, ...messages: string[]) => {
  const results = messages.map((message) => ({ errors: [{ message }] }));
  return { title, file: 'a.spec.ts', line: 7, tests: [{ status, results }] };
};

test('Playwright: a test that passed at the second try has passed, a skipped one counts for nothing', () => {
  const report = {
    stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 4 },
    suites: [
      { specs: [], suites: [{ specs: [spec('fails', 'unexpected', 'gone', 'gone again')] }] },
      { specs: [spec('heals', 'flaky', 'slow')] },
    ],
  };
  expect(playwrightCounts(report)).toEqual({
    passed: 4,
    failed: 1,
    faults: [{ name: 'e2e/a.spec.ts:7 › fails', message: 'gone' }],
    flaky: [{ name: 'e2e/a.spec.ts:7 › heals', message: 'slow' }],
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
