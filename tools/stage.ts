import { stripVTControlCharacters } from 'node:util';

/** Result of one stage of `npm test`. */
export interface StageResult {
  readonly passed: number;
  readonly failed: number;
  /** The failures that have a name. */
  readonly failures?: readonly TestNote[];
  /** Tests that passed only on retry; also counted as passed. */
  readonly flaky?: readonly TestNote[];
  /** Tests that did not run, with their reasons; counted neither as passed nor as failed. */
  readonly skipped?: readonly TestNote[];
  /** Duration of each file, if the runner measures it. */
  readonly files?: readonly FileTime[];
}

/** Duration of a file's tests, with setup and teardown. */
export interface FileTime {
  readonly name: string;
  readonly durationMs: number;
}

/** A failed, flaky or skipped test: its file and title, and its first error or the reason of the skip. */
export interface TestNote {
  readonly name: string;
  readonly message: string;
}

/**
 * Checks a runner's counts against its exit code: a missing report, or a bad exit code without a failed test
 * (a crash), counts as one failure.
 * @param counted the runner's report; undefined if it crashed before writing one
 */
export function stageResult(counted: StageResult | undefined, exitCode: number): StageResult {
  if (!counted) return { passed: 0, failed: 1, failures: [runFailure(`no report; exit code ${exitCode}`)] };
  if (exitCode === 0 || counted.failed > 0) return counted;
  return { ...counted, failed: 1, failures: [runFailure(`exit code ${exitCode} although no test failed`)] };
}

/** Adds a part of a stage that could not run, with the reason. */
export function withSkip(result: StageResult, skip: TestNote): StageResult {
  return { ...result, skipped: [...(result.skipped ?? []), skip] };
}

/** The result of a stage that the whole run leaves to build servers, because it takes packages and time. */
export function leftToBuildServers(name: string): StageResult {
  const message = 'time: it takes packages and time, so it runs with CI=true, or if it is named by --only';
  return { passed: 0, failed: 0, skipped: [{ name, message }] };
}

function runFailure(message: string): TestNote {
  return { name: 'the run itself', message };
}

/** The part of Playwright's JSON report that we read. */
export interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number };
  /** Failures outside of any test. */
  readonly errors?: readonly { readonly message: string }[];
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
    /** `test.skip(condition, reason)` puts the reason here, with the type "skip". */
    readonly annotations?: readonly { readonly type: string; readonly description?: string }[];
    readonly results: readonly {
      readonly errors: readonly { readonly message: string }[];
      /** In milliseconds. */
      readonly duration?: number;
    }[];
  }[];
}

/** Placeholder for the reason of a test that was skipped without one. */
export const noReason = 'no reason given';

/** Converts Playwright's report. A test that passed only on retry counts as passed. */
export function playwrightCounts({ stats, suites, errors = [] }: PlaywrightReport): StageResult {
  const specs = suites.flatMap(specsOf);
  const withStatus = (wanted: string) =>
    specs.flatMap(({ file, line, title, tests }) =>
      tests
        .filter(({ status }) => status === wanted)
        .map(({ results, annotations = [] }) => ({
          name: `e2e/${file}:${line} › ${title}`,
          message:
            wanted === 'skipped'
              ? (annotations.find(({ type }) => type === 'skip')?.description ?? noReason)
              : (results.flatMap(({ errors }) => errors)[0]?.message ?? ''),
        })),
    );
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    failures: [
      ...withStatus('unexpected'),
      ...errors.map(({ message }) => ({ name: 'outside of any test', message })),
    ],
    flaky: withStatus('flaky'),
    skipped: withStatus('skipped'),
    files: fileTimes(specs),
  };
}

function fileTimes(specs: readonly PlaywrightSpec[]): FileTime[] {
  return [...new Set(specs.map(({ file }) => file))].map((file) => {
    const results = specs
      .filter((spec) => spec.file === file)
      .flatMap(({ tests }) => tests.flatMap((test) => test.results));
    return {
      name: `e2e/${file}`,
      durationMs: results.reduce((total, { duration = 0 }) => total + duration, 0),
    };
  });
}

function specsOf({ suites = [], specs }: PlaywrightSuite): readonly PlaywrightSpec[] {
  return [...specs, ...suites.flatMap(specsOf)];
}

const messageLines = 8;
const slowFiles = 10;

/**
 * Formats the end of a run: the slowest files, then every flaky, skipped or failed test with the first lines
 * of its message, then the counts, so that the last screenful shows what needs fixing.
 * @param stages by name, in the order in which they ran
 */
export function summary(stages: readonly (readonly [string, StageResult])[]): string {
  const results = stages.map(([, result]) => result);
  const section = (title: string, notes: readonly TestNote[]) =>
    notes.length === 0 ? [] : ['', title, ...notes.map(noteLines)];
  return [
    ...slowestLines(results.flatMap(({ files = [] }) => files)),
    ...section(
      'Passed only on retry:',
      results.flatMap(({ flaky = [] }) => flaky),
    ),
    ...section(
      'Skipped:',
      results.flatMap(({ skipped = [] }) => skipped),
    ),
    ...section(
      'Failed:',
      results.flatMap(({ failures = [] }) => failures),
    ),
    '',
    ...stages.map(([name, result]) => {
      const { flaky = [] } = result;
      const note = flaky.length > 0 ? ` (${flaky.length} only on retry, listed above)` : '';
      return `${name}: ${countsLine([result])}${note}`;
    }),
    countsLine(results),
  ].join('\n');
}

/** Lists the slowest files; empty if fewer than two were measured. */
function slowestLines(files: readonly FileTime[]): string[] {
  if (files.length < 2) return [];
  const slowest = [...files].sort((one, other) => other.durationMs - one.durationMs).slice(0, slowFiles);
  const line = ({ name, durationMs }: FileTime) => `${(durationMs / 1000).toFixed(1).padStart(8)} s  ${name}`;
  return ['', 'Slowest files:', ...slowest.map(line)];
}

/** Formats `N passed, N failed`, and `, N skipped` if there are any. The build server parses this format. */
export function countsLine(results: readonly StageResult[]): string {
  const sum = (count: (result: StageResult) => number) =>
    results.reduce((total, result) => total + count(result), 0);
  const skipped = sum((result) => result.skipped?.length ?? 0);
  const counts = `${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed`;
  return skipped > 0 ? `${counts}, ${skipped} skipped` : counts;
}

function noteLines({ name, message }: TestNote): string {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, messageLines);
  return [`  ${name}`, ...lines.map((line) => `      ${line}`)].join('\n');
}
