import { writeFileSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';
import { type Fault, noReason, type StageResult } from './stage.ts';

/**
 * A Vitest reporter that writes a StageResult, as JSON, to the file that STAGE_FILE names. What fails outside of any test
 * counts and is named, too: a file that does not load, a hook, a promise that nobody awaits.
 */
export default class StageReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env.STAGE_FILE;
    if (file) writeFileSync(file, JSON.stringify(vitestResult(modules, unhandled)));
  }
}

/** @param unhandled what no test and no hook awaited */
export function vitestResult(
  modules: readonly TestModule[],
  unhandled: readonly SerializedError[],
): StageResult {
  const tests = modules.flatMap(({ children }) => [...children.allTests()]);
  const failed = tests.filter((test) => test.result().state === 'failed');
  const passed = tests.filter((test) => test.result().state === 'passed');
  const skipped = tests.filter((test) => test.result().state === 'skipped' && !isBehindFailure(test));
  const flaky = passed.filter((test) => test.diagnostic()?.flaky);
  const around = [...modules, ...modules.flatMap(({ children }) => [...children.allSuites()])];
  const outside = [
    ...around.flatMap((part) => part.errors().map((error) => fault(nameOf(part), error))),
    ...unhandled.map((error) => fault('outside of any test', error)),
  ];
  return {
    passed: passed.length,
    failed: failed.length + outside.length,
    faults: [...failed.map(testFault), ...outside],
    flaky: flaky.map(testFault),
    skipped: skipped.map((test) => ({ name: nameOf(test), message: noteOf(test) })),
    files: modules.map((module) => ({ name: module.relativeModuleId, durationMs: durationOf(module) })),
  };
}

/** Loading the file, its tests and their hooks. */
function durationOf(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic();
  return collectDuration + duration;
}

function testFault(test: TestCase): Fault {
  return fault(nameOf(test), test.result().errors?.[0]);
}

/** Whether a hook failed before the test: that is one failure with a name, and not one skip for each test behind it. */
function isBehindFailure(test: TestCase): boolean {
  if (test.options.mode !== 'run') return false;
  for (let part: TestModule | TestSuite = test.parent; ; part = part.parent) {
    if (part.errors().length > 0) return true;
    if (part.type === 'module') return false;
  }
}

/** The reason that `context.skip(reason)` gave. */
function noteOf(test: TestCase): string {
  const result = test.result();
  return (result.state === 'skipped' ? result.note : undefined) ?? noReason;
}

function nameOf(part: TestModule | TestSuite | TestCase): string {
  return part.type === 'module'
    ? part.relativeModuleId
    : `${part.module.relativeModuleId} › ${part.fullName}`;
}

function fault(name: string, error?: { readonly message: string; readonly stack?: string }): Fault {
  return { name, message: error?.stack ?? error?.message ?? '' };
}
