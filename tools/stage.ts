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
    readonly results: readonly { readonly errors: readonly { readonly message: string }[] }[];
  }[];
}

/** A story that passed at the second try only has passed. */
export function playwrightCounts({ stats, suites, errors = [] }: PlaywrightReport): StageResult {
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
    failed: stats.unexpected + errors.length,
    faults: [
      ...withStatus('unexpected'),
      ...errors.map(({ message }) => ({ name: 'outside of any story', message })),
    ],
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
