import { expect, test } from 'vitest';
import { playwrightCounts, stageResult, vitestCounts } from './stage.ts';

const file = (status: string, tests: number) => ({ status, assertionResults: Array(tests).fill({}) });

test('Vitest: passed and failed tests are counted', () => {
  const report = { numPassedTests: 5, numFailedTests: 2, testResults: [file('failed', 7)] };
  expect(stageResult(report, vitestCounts, 1)).toEqual({ passed: 5, failed: 2 });
});

test('Vitest: a file that does not load is a failure', () => {
  const report = {
    numPassedTests: 5,
    numFailedTests: 0,
    testResults: [file('passed', 5), file('failed', 0)],
  };
  expect(stageResult(report, vitestCounts, 1)).toEqual({ passed: 5, failed: 1 });
});

test('Playwright: a test that passed at the second try has passed, a skipped one counts for nothing', () => {
  const report = { stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 4 } };
  expect(stageResult(report, playwrightCounts, 1)).toEqual({ passed: 4, failed: 1, flaky: 1 });
});

test('a run that broke off is a failure, with a report and without', () => {
  const report = { stats: { expected: 3, unexpected: 0, flaky: 0 } };
  expect(stageResult(report, playwrightCounts, 1)).toEqual({ passed: 3, failed: 1 });
  expect(stageResult(undefined, playwrightCounts, 0)).toEqual({ passed: 0, failed: 1 });
  expect(stageResult(report, playwrightCounts, 0)).toEqual({ passed: 3, failed: 0 });
});
