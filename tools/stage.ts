import { stripVTControlCharacters } from 'node:util';

/** What a part of `npm test` came to. */
export interface StageResult {
  readonly passed: number;
  readonly failed: number;
  /** What failed, as far as it has a name. */
  readonly faults?: readonly Fault[];
  /** What passed at the second try only; counted as passed. */
  readonly flaky?: readonly Fault[];
  /** What did not run, each with its reason; counted neither as passed nor as failed. */
  readonly skipped?: readonly Fault[];
  /** How long each file took, as far as the runner measures it. */
  readonly files?: readonly FileTime[];
}

/** What the tests of a file took, with what they prepare and tidy up. */
export interface FileTime {
  readonly name: string;
  readonly durationMs: number;
}

/** A test that failed, by file and title, and the message it failed with first. */
export interface Fault {
  readonly name: string;
  readonly message: string;
}

/**
 * A runner's figures, made honest: no report, or a bad exit without a failed test (a crash), counts as one failure.
 * @param counted what the runner reported; undefined when it broke off before
 */
export function stageResult(counted: StageResult | undefined, exitCode: number): StageResult {
  if (!counted) return { passed: 0, failed: 1, faults: [fault(`no report; exit code ${exitCode}`)] };
  if (exitCode === 0 || counted.failed > 0) return counted;
  return { ...counted, failed: 1, faults: [fault(`exit code ${exitCode}, though no test failed`)] };
}

function fault(message: string): Fault {
  return { name: 'the run itself', message };
}

/** The part of Playwright's JSON report that is read. */
export interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number };
  /** What failed outside of any story. */
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
    /** `test.skip(condition, reason)` leaves the reason here, under the type "skip". */
    readonly annotations?: readonly { readonly type: string; readonly description?: string }[];
    readonly results: readonly {
      readonly errors: readonly { readonly message: string }[];
      /** In milliseconds. */
      readonly duration?: number;
    }[];
  }[];
}

/** Stands for the reason of a skipped test that gives none. */
export const noReason = 'no reason given';

/** A story that passed at the second try only has passed. */
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
    faults: [
      ...withStatus('unexpected'),
      ...errors.map(({ message }) => ({ name: 'outside of any story', message })),
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
 * The end of a run: the files that took longest, then every test that failed, was skipped or needed a second try with the first lines of its message, so that
 * the last screenful says what there is to mend, then the counts.
 * @param stages in the order of running, by name
 */
export function summary(stages: readonly (readonly [string, StageResult])[]): string {
  const results = stages.map(([, result]) => result);
  const named = (title: string, faults: readonly Fault[]) =>
    faults.length === 0 ? [] : ['', title, ...faults.map(faultLines)];
  return [
    ...slowestLines(results.flatMap(({ files = [] }) => files)),
    ...named(
      'At the second try only:',
      results.flatMap(({ flaky = [] }) => flaky),
    ),
    ...named(
      'Skipped:',
      results.flatMap(({ skipped = [] }) => skipped),
    ),
    ...named(
      'Failed:',
      results.flatMap(({ faults = [] }) => faults),
    ),
    '',
    ...stages.map(([name, result]) => {
      const { flaky = [] } = result;
      const note = flaky.length > 0 ? ` (${flaky.length} at the second try, named above)` : '';
      return `${name}: ${countsLine([result])}${note}`;
    }),
    countsLine(results),
  ].join('\n');
}

/** The files that took longest; none where nobody measured more than one. */
function slowestLines(files: readonly FileTime[]): string[] {
  if (files.length < 2) return [];
  const slowest = [...files].sort((one, other) => other.durationMs - one.durationMs).slice(0, slowFiles);
  const line = ({ name, durationMs }: FileTime) => `${(durationMs / 1000).toFixed(1).padStart(8)} s  ${name}`;
  return ['', 'Slowest files:', ...slowest.map(line)];
}

/** `N passed, N failed`, and `, N skipped` where anything was: the build server reads this format. */
export function countsLine(results: readonly StageResult[]): string {
  const sum = (count: (result: StageResult) => number) =>
    results.reduce((total, result) => total + count(result), 0);
  const skipped = sum((result) => result.skipped?.length ?? 0);
  const counts = `${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed`;
  return skipped > 0 ? `${counts}, ${skipped} skipped` : counts;
}

function faultLines({ name, message }: Fault): string {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, messageLines);
  return [`  ${name}`, ...lines.map((line) => `      ${line}`)].join('\n');
}
