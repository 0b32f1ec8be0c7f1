import { writeFileSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';
import { noReason, type StageResult, type TestNote } from './stage.ts';

/**
 * A Vitest reporter that writes a StageResult, as JSON, to the file that STAGE_FILE names. Includes failures
 * outside of any test: a file that does not load, a hook, an unhandled rejection.
 */
export default class StageReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env.STAGE_FILE;
    if (file) writeFileSync(file, JSON.stringify(vitestResult(modules, unhandled)));
  }
}

/** @param unhandled errors outside of tests and hooks, such as unhandled rejections */
export function vitestResult(
  modules: readonly TestModule[],
  unhandled: readonly SerializedError[],
): StageResult {
  const tests = modules.flatMap(({ children }) => [...children.allTests()]);
  const failed = tests.filter((test) => test.result().state === 'failed');
  const passed = tests.filter((test) => test.result().state === 'passed');
  const skipped = tests.filter((test) => test.result().state === 'skipped' && !isBehindFailure(test));
  const flaky = passed.filter((test) => test.diagnostic()?.flaky);
  const containers = [...modules, ...modules.flatMap(({ children }) => [...children.allSuites()])];
  const outside = [
    ...containers.flatMap((container) => container.errors().map((error) => note(nameOf(container), error))),
    ...unhandled.map((error) => note('outside of any test', error)),
  ];
  return {
    passed: passed.length,
    failed: failed.length + outside.length,
    failures: [...failed.map(testNote), ...outside],
    flaky: flaky.map(testNote),
    skipped: skipped.map((test) => ({ name: nameOf(test), message: skipReason(test) })),
    files: modules.map((module) => ({ name: module.relativeModuleId, durationMs: durationOf(module) })),
  };
}

/** Milliseconds to load the file and run its tests and their hooks. */
function durationOf(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic();
  return collectDuration + duration;
}

function testNote(test: TestCase): TestNote {
  return note(nameOf(test), test.result().errors?.[0]);
}

/** Whether a failed hook skipped the test: that counts as one failure, not as a skip of each test. */
function isBehindFailure(test: TestCase): boolean {
  if (test.options.mode !== 'run') return false;
  for (let container: TestModule | TestSuite = test.parent; ; container = container.parent) {
    if (container.errors().length > 0) return true;
    if (container.type === 'module') return false;
  }
}

/** Returns the reason passed to `context.skip(reason)`. */
function skipReason(test: TestCase): string {
  const result = test.result();
  return (result.state === 'skipped' ? result.note : undefined) ?? noReason;
}

function nameOf(entity: TestModule | TestSuite | TestCase): string {
  return entity.type === 'module'
    ? entity.relativeModuleId
    : `${entity.module.relativeModuleId} › ${entity.fullName}`;
}

interface Fault {
  readonly message: string;
  readonly stack?: string;
  readonly cause?: unknown;
}

function note(name: string, error?: Fault): TestNote {
  return { name, message: error ? textOf(error) : '' };
}

/** An error with what caused it: of a property's failure, only the cause says what went wrong. */
function textOf({ stack, message, cause }: Fault): string {
  const text = stack ?? message;
  return isFault(cause) ? `${text}\nCaused by: ${textOf(cause)}` : text;
}

const isFault = (value: unknown): value is Fault =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
