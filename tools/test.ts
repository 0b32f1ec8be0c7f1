import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runChecks } from './check.ts';
import { ensureChromium } from './chromium.ts';
import { runTool } from './run-tool.ts';
import { refuseSkips } from './skips.ts';
import {
  leftToBuildServers,
  type PlaywrightReport,
  playwrightCounts,
  type StageResult,
  stageResult,
  summary,
  withSkip,
} from './stage.ts';
import { leaveLongFiles, longFileSkips } from './testing/long-files.ts';
import { buildPrograms } from './testing/programs.ts';

/**
 * `npm test`: runs the static checks, Vitest, the libraries, then the browser tests; every stage runs even if an earlier one
 * failed. `--only=check,unit,ui,server,torture,sdk,e2e` selects parts; other arguments select test files by a
 * substring of their path, and libraries by one of their folder.
 */
const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true });
const parts = ['check', 'unit', 'ui', 'server', 'torture', 'sdk', 'e2e'];
const vitestParts = ['unit', 'ui', 'server', 'torture'];
const selected = values.only?.split(',') ?? parts;
/** A run of everything leaves some tests to build servers. */
const leavesLong = values.only === undefined && positionals.length === 0 && !process.env.CI;

/** Runs the projects of Vitest. Without Chromium, `ui` counts as skipped. */
async function runVitest(reportPath: string): Promise<StageResult> {
  const wanted = vitestParts.filter((name) => selected.includes(name));
  const chromium = wanted.includes('ui') ? await ensureChromium() : undefined;
  if (chromium || !wanted.includes('ui')) return runProjects(wanted, reportPath, chromium);
  const others = wanted.filter((name) => name !== 'ui');
  const result = others.length > 0 ? await runProjects(others, reportPath) : { passed: 0, failed: 0 };
  return withSkip(result, { name: 'ui', message: 'package: there is no Chromium' });
}

async function runProjects(
  names: readonly string[],
  reportPath: string,
  chromium?: string,
): Promise<StageResult> {
  // With a wildcard: `unit` and `server` have a second project, whose files load their modules anew.
  const projects = names.map((name) => `--project=${name}*`);
  const reporters = ['--reporter=default', '--reporter=./tools/stage-reporter.ts'];
  const programs = names.some((name) => name === 'server' || name === 'torture') ? await buildPrograms() : {};
  if (!programs) return stageResult(undefined, 1);
  const { exitCode } = await runTool(
    'vitest',
    ['run', ...projects, ...reporters, ...allowNone('--passWithNoTests'), ...positionals],
    {
      show: true,
      env: { STAGE_FILE: reportPath, ...programs, ...(chromium && { CHROMIUM_PATH: chromium }) },
    },
  );
  return stageResult(await readReport<StageResult>(reportPath), exitCode);
}

/**
 * The libraries of `sdk/`: their own tests, and their story against the running product. Of a run that names no stage, only a build
 * server's includes them.
 */
async function runLibraries(reportPath: string): Promise<StageResult> {
  if (values.only === undefined && !process.env.CI) return leftToBuildServers('sdk');
  const { exitCode } = await runTool(process.execPath, ['sdk/story/main.ts', ...positionals], {
    show: true,
    env: { STAGE_FILE: reportPath },
  });
  return stageResult(await readReport<StageResult>(reportPath), exitCode);
}

async function runBrowserTests(reportPath: string): Promise<StageResult> {
  const chromium = await ensureChromium();
  if (!chromium) return { passed: 0, failed: 1 };
  const { exitCode } = await runTool(
    'playwright',
    ['test', '--config=e2e', '--reporter=list,json', ...allowNone('--pass-with-no-tests'), ...positionals],
    { show: true, env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: reportPath } },
  );
  const report = await readReport<PlaywrightReport>(reportPath);
  return stageResult(report && playwrightCounts(report), exitCode);
}

/** With a selection of files, a stage may have no tests; without one, that is an error. */
function allowNone(flag: string): string[] {
  return positionals.length > 0 ? [flag] : [];
}

/** Reads a runner's report; undefined if it crashed before writing one. */
async function readReport<R>(path: string): Promise<R | undefined> {
  return JSON.parse(await readFile(path, 'utf8').catch(() => 'null')) ?? undefined;
}

async function runStages(folder: string): Promise<[string, StageResult][]> {
  const results: [string, StageResult][] = [];
  const stages: [string, boolean, () => Promise<StageResult>][] = [
    ['check', selected.includes('check'), () => runChecks()],
    [
      'vitest',
      vitestParts.some((name) => selected.includes(name)),
      () => runVitest(join(folder, 'vitest.json')),
    ],
    ['sdk', selected.includes('sdk'), () => runLibraries(join(folder, 'sdk.json'))],
    ['e2e', selected.includes('e2e'), () => runBrowserTests(join(folder, 'playwright.json'))],
  ];
  for (const [name, isSelected, run] of stages) {
    if (!isSelected) continue;
    const ran = await run().catch(crashed);
    const result = leavesLong ? longFileSkips(name).reduce(withSkip, ran) : ran;
    results.push([name, process.env.CI ? refuseSkips(result, process.env.SYSTEM_PACKAGES) : result]);
  }
  return results;
}

function crashed(error: unknown): StageResult {
  console.error(error);
  return { passed: 0, failed: 1 };
}

const unknown = selected.filter((name) => !parts.includes(name));
if (unknown.length > 0) {
  console.error(`--only takes ${parts.join(', ')}, not ${unknown.join(', ')}.`);
  process.exit(2);
}
// Set either way: a variable of the caller’s must not leave out files that no skip names.
process.env[leaveLongFiles] = leavesLong ? '1' : '';
const folder = await mkdtemp(join(tmpdir(), 'hengfu-reports-'));
const results = await runStages(folder);
await rm(folder, { recursive: true });

console.log(summary(results));
const isGreen =
  results.every(([, { failed }]) => failed === 0) && results.some(([, { passed }]) => passed > 0);
process.exitCode = isGreen ? 0 : 1;
