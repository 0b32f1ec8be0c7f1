import { expect, test } from 'vitest';
import { playwrightCounts, stageResult, summary, vitestCounts } from './stage.ts';

const vitestTest = (fullName: string, status: string, ...failureMessages: string[]) => {
  return { fullName, status, failureMessages };
};
const vitestFile = (status: string, ...assertionResults: ReturnType<typeof vitestTest>[]) => {
  return {
    name: 'a.test.ts',
    status,
    message: status === 'failed' ? 'no such module' : '',
    assertionResults,
  };
};
const spec = (title: string, status: string, ...messages: string[]) => {
  const results = messages.map((message) => ({ errors: [{ message }] }));
  return { title, file: 'a.spec.ts', line: 7, tests: [{ status, results }] };
};

test('Vitest: passed and failed tests are counted, and named with what they failed with first', () => {
  const tests = [
    vitestTest('holds', 'passed'),
    vitestTest('does not', 'failed', 'expected 1', 'expected 2'),
    vitestTest('holds at last', 'passed', 'expected 3'),
  ];
  const report = { numPassedTests: 2, numFailedTests: 1, testResults: [vitestFile('failed', ...tests)] };
  expect(stageResult(report, vitestCounts, 1)).toEqual({
    passed: 2,
    failed: 1,
    faults: [{ name: 'a.test.ts › does not', message: 'expected 1' }],
    flaky: [{ name: 'a.test.ts › holds at last', message: 'expected 3' }],
  });
});

test('Vitest: a file that does not load is a failure', () => {
  const report = { numPassedTests: 5, numFailedTests: 0, testResults: [vitestFile('failed')] };
  expect(stageResult(report, vitestCounts, 1)).toMatchObject({
    passed: 5,
    failed: 1,
    faults: [{ name: 'a.test.ts', message: 'no such module' }],
  });
});

test('Playwright: a test that passed at the second try has passed, a skipped one counts for nothing', () => {
  const report = {
    stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 4 },
    suites: [
      { specs: [], suites: [{ specs: [spec('fails', 'unexpected', 'gone', 'gone again')] }] },
      { specs: [spec('heals', 'flaky', 'slow')] },
    ],
  };
  expect(stageResult(report, playwrightCounts, 1)).toEqual({
    passed: 4,
    failed: 1,
    faults: [{ name: 'e2e/a.spec.ts:7 › fails', message: 'gone' }],
    flaky: [{ name: 'e2e/a.spec.ts:7 › heals', message: 'slow' }],
  });
});

test('a run that broke off is a failure, with a report and without', () => {
  const report = { stats: { expected: 3, unexpected: 0, flaky: 0 }, suites: [] };
  expect(stageResult(report, playwrightCounts, 1)).toMatchObject({ passed: 3, failed: 1 });
  expect(stageResult(undefined, playwrightCounts, 0)).toMatchObject({ passed: 0, failed: 1 });
  expect(stageResult(report, playwrightCounts, 0)).toMatchObject({ passed: 3, failed: 0 });
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
