import type { Check, CheckResult } from './checks/check.ts';
import { container } from './checks/container.ts';
import { contract } from './checks/contract.ts';
import { dependencies } from './checks/dependencies.ts';
import { imports } from './checks/imports.ts';
import { lockFile } from './checks/lock-file.ts';
import { migrations } from './checks/migrations.ts';
import { paths } from './checks/paths.ts';
import { phrases } from './checks/phrases.ts';
import { size } from './checks/size.ts';
import { style, typeChecks, unused } from './checks/tools.ts';
import type { StageResult } from './stage.ts';

const atOnce = 2;

/**
 * Runs the static checks, two at once, and prints what they found, then one line for each.
 * @param names run only the checks whose name starts with one of these; none: all
 */
export async function runChecks(names: readonly string[] = []): Promise<StageResult> {
  const checks = [
    ...typeChecks(),
    style,
    unused,
    imports,
    size,
    phrases,
    contract,
    migrations,
    lockFile,
    paths,
    container,
    dependencies,
  ].filter(({ name }) => names.length === 0 || names.some((start) => name.startsWith(start)));
  const results = new Map<Check, CheckResult>();
  const waiting = [...checks];
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift())
      results.set(check, await outcome(check));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  for (const [{ name }, { problems }] of results) {
    if (problems.length > 0) console.log(`\n── ${name}\n${problems.join('\n')}`);
  }
  console.log();
  const passed = checks.filter((check) => report(check, results.get(check)));
  const faults = [...results]
    .filter(([, { problems }]) => problems.length > 0)
    .map(([{ name }, { problems }]) => ({ name, message: problems.join('\n') }));
  return { passed: passed.length, failed: checks.length - passed.length, faults };
}

async function outcome(check: Check): Promise<CheckResult> {
  try {
    return await check.run();
  } catch (error) {
    return { problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
  }
}

function report({ name }: Check, result: CheckResult | undefined): boolean {
  const isPassed = result?.problems.length === 0;
  const note = result?.note ? `: ${result.note}` : '';
  console.log(`${isPassed ? 'passed' : 'FAILED'}  ${name}${note}`);
  return isPassed;
}

if (import.meta.main) {
  const { passed, failed } = await runChecks(process.argv.slice(2));
  if (failed > 0 || passed === 0) process.exitCode = 1;
}
