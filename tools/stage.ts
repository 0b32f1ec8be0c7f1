import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** What a part of `npm test` came to. */
export interface StageResult {
  readonly passed: number;
  readonly failed: number;
  /** What failed, as far as it has a name. */
  readonly faults?: readonly Fault[];
  /** What passed at the second try only; counted as passed. */
  readonly flaky?: readonly Fault[];
}

/** A test that failed, by file and title, and the message it failed with first. */
export interface Fault {
  readonly name: string;
  readonly message: string;
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

/** The part of Vitest's JSON report that is read. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly VitestFile[];
}

interface VitestFile {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly VitestTest[];
}

interface VitestTest {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

/** A file that could not even be loaded has no failed test, and counts as one. */
export function vitestCounts({ numPassedTests, numFailedTests, testResults }: VitestReport): StageResult {
  const unloaded = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const tests = testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages: [message] }) => {
      return {
        status,
        message,
        fault: { name: `${relative(process.cwd(), file)} › ${fullName}`, message: message ?? '' },
      };
    }),
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests + unloaded.length,
    faults: [
      ...unloaded.map(({ name, message }) => ({ name, message })),
      ...tests.filter(({ status }) => status === 'failed').map(({ fault }) => fault),
    ],
    // A second try leaves what was said of the first.
    flaky: tests.filter(({ status, message }) => status === 'passed' && message).map(({ fault }) => fault),
  };
}

/** The part of Playwright's JSON report that is read. */
interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number };
  readonly suites: readonly PlaywrightSuite[];
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly PlaywrightSpec[];
}

interface PlaywrightSpec {
  readonly title: string;
  readonly file: string;
  readonly line: number;
  readonly tests: readonly {
    readonly status: string;
    readonly results: readonly { readonly errors: readonly { readonly message: string }[] }[];
  }[];
}

/** A story that passed at the second try only has passed. */
export function playwrightCounts({ stats, suites }: PlaywrightReport): StageResult {
  const specs = suites.flatMap(specsOf);
  const withStatus = (wanted: string) =>
    specs.flatMap(({ file, line, title, tests }) =>
      tests
        .filter(({ status }) => status === wanted)
        .map(({ results }) => ({
          name: `e2e/${file}:${line} › ${title}`,
          message: results.flatMap(({ errors }) => errors)[0]?.message ?? '',
        })),
    );
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    faults: withStatus('unexpected'),
    flaky: withStatus('flaky'),
  };
}

function specsOf({ suites = [], specs }: PlaywrightSuite): readonly PlaywrightSpec[] {
  return [...specs, ...suites.flatMap(specsOf)];
}

const messageLines = 8;

/**
 * The end of a run: every test that failed or needed a second try with the first lines of its message, so that the last
 * screenful says what there is to mend, then the counts.
 * @param stages in the order of running, by name
 */
export function summary(stages: readonly (readonly [string, StageResult])[]): string {
  const results = stages.map(([, result]) => result);
  const named = (title: string, faults: readonly Fault[]) =>
    faults.length === 0 ? [] : ['', title, ...faults.map(faultLines)];
  const sum = (count: (result: StageResult) => number) =>
    results.reduce((total, result) => total + count(result), 0);
  return [
    ...named(
      'At the second try only:',
      results.flatMap(({ flaky = [] }) => flaky),
    ),
    ...named(
      'Failed:',
      results.flatMap(({ faults = [] }) => faults),
    ),
    '',
    ...stages.map(([name, { passed, failed, flaky = [] }]) => {
      const note = flaky.length > 0 ? ` (${flaky.length} at the second try, named above)` : '';
      return `${name}: ${passed} passed, ${failed} failed${note}`;
    }),
    `${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed`,
  ].join('\n');
}

function faultLines({ name, message }: Fault): string {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, messageLines);
  return [`  ${name}`, ...lines.map((line) => `      ${line}`)].join('\n');
}
