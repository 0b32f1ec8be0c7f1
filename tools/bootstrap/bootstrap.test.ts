import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MiniProject } from '../testing/mini-project.ts';

let project: MiniProject;

beforeEach(() => {
  project = new MiniProject();
});
afterEach(() => {
  rmSync(dirname(project.directory), { recursive: true });
});

async function install(): Promise<void> {
  expect(await project.run(['operator']).exitCode()).toBe(0);
}

test('installs Node, then the dependencies on the first run, and reports it on stderr only', async () => {
  const run = project.run(['operator', 'user create', '--json']);
  expect(await run.exitCode()).toBe(0);
  expect(project.installs()).toEqual([
    'runtime ci --ignore-scripts --include=dev --include=optional --no-audit --no-fund',
    expect.stringMatching(
      /^dependencies ci --ignore-scripts --include=dev --include=optional --no-audit --no-fund( --workspace=\w+)+$/,
    ),
  ]);
  expect(run.stderr).toContain(`downloading Node ${process.versions.node}`);
  const { args, path } = JSON.parse(run.stdout);
  expect(args).toEqual(['user create', '--json']);
  expect(path.split(':')[0]).toBe(join(project.directory, 'tools/runtime/node_modules/node/bin'));
  expect(existsSync(project.lock)).toBe(false);
});

test('runs only the install scripts that are allowed by name, after the installation', async () => {
  project.setAllowScripts({ good: true, '@scope/fine': true, bad: false });
  await install();
  expect(project.installs().slice(1)).toEqual([
    expect.stringContaining('dependencies ci --ignore-scripts'),
    'dependencies rebuild --ignore-scripts=false good @scope/fine',
  ]);
});

test('installs and prints nothing on the next run', async () => {
  await install();
  const run = project.run(['operator']);
  expect(await run.exitCode()).toBe(0);
  expect(run.stderr).toBe('');
  expect(project.installs()).toHaveLength(2);
});

test('completes an installation of the product once for tests and tools, without repeating it', async () => {
  await install();
  for (let time = 0; time < 2; time++) await project.run(['check']).exitCode();
  await install();
  expect(project.installs().slice(2)).toEqual([
    'dependencies install --no-save --package-lock --ignore-scripts --include=dev --include=optional --no-audit --no-fund',
  ]);
});

test('keeps the product’s installation if its completion fails, and repeats it if it was killed', async () => {
  await install();
  expect(await project.run(['check'], { NPM_ERROR: 'ENOTFOUND' }).exitCode()).toBe(1);
  const run = project.run(['operator']);
  expect(await run.exitCode()).toBe(0);
  expect(run.stderr).toBe('');
  const killed = project.run(['check'], { NPM_TAKES_MS: '1000' });
  await killed.until(({ stderr }) => stderr.includes('added 1 package'));
  killed.kill('SIGKILL');
  await killed.exitCode();
  rmSync(project.lock, { force: true });
  await install();
  expect(project.installs().at(-1)).toContain('dependencies ci');
});

test('installs everything again after a change if everything was there', async () => {
  await project.run(['check']).exitCode();
  project.changeLockFile();
  await install();
  expect(project.installs().at(-1)).not.toContain('--workspace');
});

test('installs everything at once if tests or tools come first', async () => {
  await project.run(['check']).exitCode();
  await install();
  expect(project.installs().slice(1)).toEqual([
    'dependencies ci --ignore-scripts --include=dev --include=optional --no-audit --no-fund',
  ]);
});

test('installs the dependencies again after the lock file changed', async () => {
  await install();
  project.changeLockFile();
  await install();
  expect(project.installs().slice(2)).toEqual([expect.stringContaining('dependencies ci')]);
});

test('repeats an installation that failed', async () => {
  await install();
  project.changeLockFile();
  expect(await project.run(['operator'], { NPM_ERROR: 'E500' }).exitCode()).toBe(1);
  expect(existsSync(project.stamp)).toBe(false);
  await install();
  expect(project.installs()).toHaveLength(4);
  expect(existsSync(project.stamp)).toBe(true);
});

test.each([
  ['ENOTFOUND', 'registry can’t be reached'],
  ['EACCES', 'no permission to write'],
  ['ENOSPC', 'the disk is full'],
])('explains npm’s %s in one sentence', async (code, sentence) => {
  const run = project.run(['operator'], { NPM_ERROR: code });
  expect(await run.exitCode()).toBe(1);
  expect(run.stderr).toContain(sentence);
  expect(run.stdout).toBe('');
});

test('explains in one sentence that npm skipped Node, for example because its hash differs', async () => {
  const run = project.run(['operator'], { NPM_LEAVES_OUT: 'true' });
  expect(await run.exitCode()).toBe(1);
  expect(run.stderr).toMatch(/npm skipped node-.* hash differs from tools\/runtime\/package-lock.json/);
  expect(project.installs()).toHaveLength(1);
});

test('reports that npm is missing', async () => {
  rmSync(join(project.directory, 'bin/npm'));
  const run = project.run(['operator'], { PATH: join(project.directory, 'bin') });
  expect(await run.exitCode()).toBe(1);
  expect(run.stderr).toContain('npm can’t be started');
});

test('lets one of two concurrent runs install while the other waits', async () => {
  const first = project.run(['operator'], { NPM_TAKES_MS: '300' });
  await first.until(() => existsSync(project.lock));
  const second = project.run(['operator']);
  expect(await Promise.all([first.exitCode(), second.exitCode()])).toEqual([0, 0]);
  expect(second.stderr).toContain('waiting');
  expect(project.installs()).toHaveLength(2);
});

test.each([
  ['of a process that has exited', `999999999 ${hostname()}`],
  ['without a recent heartbeat', 'somewhere else'],
])('takes over a lock %s', async (_, holder) => {
  writeFileSync(project.lock, holder);
  if (holder.startsWith('somewhere')) utimesSync(project.lock, 0, 0);
  await install();
  expect(existsSync(project.lock)).toBe(false);
});

test('stops the installation on Ctrl-C, and installs again on the next run', async () => {
  const run = project.run(['operator'], { NPM_TAKES_MS: '60000' });
  await run.until(({ stderr }) => stderr.includes('added 1 package'));
  run.kill('SIGINT');
  expect(await run.exitCode()).toBe(130);
  expect(run.stderr).toContain('interrupted');
  expect(run.stdout).toBe('');
  expect(existsSync(project.lock)).toBe(false);
  await install();
});

test('forwards each signal to the program once, and returns its exit code', async () => {
  await install();
  const run = project.run(['operator', 'wait']);
  await run.until(({ stdout }) => stdout.includes('args'));
  run.kill('SIGINT');
  await run.until(({ stdout }) => stdout.includes('SIGINT'));
  run.kill('SIGTERM');
  await run.until(({ stdout }) => stdout.includes('SIGTERM'));
  run.kill('SIGTERM');
  expect(await run.exitCode()).toBe(7);
  expect(run.stdout.match(/SIG\w+/g)).toEqual(['SIGINT', 'SIGTERM']);
});

test('sends SIGTERM to the program when npm is killed', async () => {
  await install();
  const run = project.runInShell(['operator', 'wait'], { npm_lifecycle_event: 'operator' });
  await run.until(({ stdout }) => stdout.includes('args'));
  run.kill('SIGKILL');
  await run.until(({ stdout }) => stdout.includes('SIGTERM'));
});

test('returns the exit code of a failing program', async () => {
  await install();
  expect(await project.run(['operator', 'fail']).exitCode()).toBe(3);
});

test.each(['', 'strat', 'constructor'])('rejects the unknown command “%s”', async (command) => {
  const run = project.run([command]);
  expect(await run.exitCode()).toBe(1);
  expect(run.stderr).toContain('Commands: start, dev, test');
  expect(project.installs()).toEqual([]);
});

test('names the required version when started on an old Node', async () => {
  const preload = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'18.20.0'}})`;
  const run = project.run(['start'], { NODE_OPTIONS: `--import=${preload}` });
  expect(await run.exitCode()).toBe(1);
  expect(run.stderr).toContain('Node 20 or newer is needed');
  expect(readFileSync(join(project.directory, 'tools/bootstrap.mjs'), 'utf8')).not.toMatch(/^import /m);
});
