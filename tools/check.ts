import type { Check, CheckResult } from './checks/check.ts';
import { container } from './checks/container.ts';
import { contract } from './checks/contract.ts';
import { dependencies } from './checks/dependencies.ts';
import { glossary } from './checks/glossary.ts';
import { imports } from './checks/imports.ts';
import { inventory } from './checks/inventory.ts';
import { libraries } from './checks/libraries.ts';
import { lockFile } from './checks/lock-file.ts';
import { manifests } from './checks/manifests.ts';
import { migrations } from './checks/migrations.ts';
import { openApi } from './checks/open-api.ts';
import { paths } from './checks/paths.ts';
import { phrases } from './checks/phrases.ts';
import { plainEnglish } from './checks/plain-english.ts';
import { quotedTests } from './checks/quoted-tests.ts';
import { size } from './checks/size.ts';
import { supplyChain } from './checks/supply-chain.ts';
import { style, unused } from './checks/tools.ts';
import { types } from './checks/types.ts';
import { countsLine, type StageResult } from './stage.ts';

const concurrency = 2;

/**
 * Runs the static checks, two at a time, and prints their problems, then one line for each check.
 * @param names run only the checks whose name starts with one of these; empty for all
 */
export async function runChecks(names: readonly string[] = []): Promise<StageResult> {
  const checks = [
    types,
    style,
    unused,
    imports,
    size,
    phrases,
    glossary,
    plainEnglish,
    quotedTests,
    contract,
    openApi,
    libraries,
    migrations,
    lockFile,
    paths,
    container,
    manifests,
    dependencies,
    inventory,
    supplyChain,
  ].filter((check) => isSelected(check, names));
  const results = new Map<Check, CheckResult>();
  const queue = [...checks];
  const work = async () => {
    for (let check = queue.shift(); check; check = queue.shift()) results.set(check, await runCheck(check));
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const inOrder = new Map(checks.flatMap((check) => [...results].filter(([each]) => each === check)));
  for (const [{ name }, { problems }] of inOrder) {
    if (problems.length > 0) console.log(`\n── ${name}\n${problems.join('\n')}`);
  }
  console.log();
  for (const [check, result] of inOrder) report(check, result);
  return stageResultOf(inOrder);
}

/** The check that needs a network runs on a build server; elsewhere only if it is named. */
function isSelected({ name }: Check, names: readonly string[]): boolean {
  if (names.length === 0) return name !== supplyChain.name || Boolean(process.env.CI);
  return names.some((prefix) => name.startsWith(prefix));
}

/** Counts the results. A check with problems has failed, even if a part of it was skipped. */
export function stageResultOf(results: ReadonlyMap<Check, CheckResult>): StageResult {
  const named = [...results].map(([{ name }, { problems, skipped }]) => ({ name, problems, skipped }));
  const failed = named.filter(({ problems }) => problems.length > 0);
  const skipped = named.flatMap(({ name, problems, skipped: reason }) =>
    problems.length === 0 && reason !== undefined ? [{ name, message: reason }] : [],
  );
  return {
    passed: results.size - failed.length - skipped.length,
    failed: failed.length,
    failures: failed.map(({ name, problems }) => ({ name, message: problems.join('\n') })),
    skipped,
  };
}

async function runCheck(check: Check): Promise<CheckResult> {
  try {
    return await check.run();
  } catch (error) {
    return { problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
  }
}

function report({ name }: Check, { problems, skipped, note }: CheckResult): void {
  const state = problems.length > 0 ? 'FAILED' : skipped === undefined ? 'passed' : 'skipped';
  const detail = problems.length > 0 ? note : (skipped ?? note);
  console.log(`${state.padEnd(7)} ${name}${detail ? `: ${detail}` : ''}`);
}

if (import.meta.main) {
  const result = await runChecks(process.argv.slice(2));
  console.log(`\n${countsLine([result])}`);
  if (result.failed > 0 || result.passed + (result.skipped?.length ?? 0) === 0) process.exitCode = 1;
}
