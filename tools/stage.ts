/** What a part of `npm test` came to. */
export interface StageResult {
  readonly passed: number;
  readonly failed: number;
  /** How many of those passed needed a second try. */
  readonly flaky?: number;
}

/**
 * A runner's figures, made honest: no report, or a bad exit without a failed test (a crash, an error outside of any
 * test), counts as one failure.
 * @param report what the runner's JSON reporter wrote; undefined when there is none
 * @param count reads the runner's own format
 */
export function stageResult<R>(
  report: unknown,
  count: (report: R) => StageResult,
  exitCode: number,
): StageResult {
  if (report === undefined) return { passed: 0, failed: 1 };
  const counted = count(report as R);
  return exitCode === 0 ? counted : { ...counted, failed: Math.max(counted.failed, 1) };
}

/** The part of Vitest's JSON report that is counted. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/** A file that could not even be loaded has no failed test, and counts as one. */
export function vitestCounts({ numPassedTests, numFailedTests, testResults }: VitestReport): StageResult {
  const unloaded = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return { passed: numPassedTests, failed: numFailedTests + unloaded.length };
}

/** The part of Playwright's JSON report that is counted. */
interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number };
}

/** A test that passed at the second try only has passed; Playwright's list names it. */
export function playwrightCounts({ stats }: PlaywrightReport): StageResult {
  const { expected, flaky, unexpected } = stats;
  return { passed: expected + flaky, failed: unexpected, ...(flaky > 0 && { flaky }) };
}
