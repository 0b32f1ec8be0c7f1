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

test('the first run installs Node, then the dependencies, and tells it on stderr only', async () => {
  const run = project.run(['operator', 'user create', '--json']);
  expect(await run.exitCode()).toBe(0);
  expect(project.installs()).toEqual([
    'runtime ci --ignore-scripts --include=dev --include=optional --no-audit --no-fund',
    'dependencies ci --ignore-scripts --include=dev --include=optional --no-audit --no-fund',
  ]);
  expect(run.stderr).toContain(`fetching Node ${process.versions.node}`);
  const { args, path } = JSON.parse(run.stdout);
  expect(args).toEqual(['user create', '--json']);
  expect(path.split(':')[0]).toBe(join(project.directory, 'tools/runtime/node_modules/node/bin'));
  expect(existsSync(project.lock)).toBe(false);
});

test('only scripts that are allowed by name run, after the installation', async () => {
  project.decideOnScripts({ good: true, '@scope/fine': true, bad: false });
  await install();
  expect(project.installs().slice(1)).toEqual([
    expect.stringContaining('dependencies ci --ignore-scripts'),
    'dependencies rebuild --ignore-scripts=false good @scope/fine',
  ]);
});

test('the next run installs nothing and says nothing', async () => {
  await install();
  const run = project.run(['operator']);
  expect(await run.exitCode()).toBe(0);
  expect(run.stderr).toBe('');
  expect(project.installs()).toHaveLength(2);
});

test('a changed lock file brings new dependencies', async () => {
  await install();
  project.changeLockFile();
  await install();
  expect(project.installs().slice(2)).toEqual([expect.stringContaining('dependencies ci')]);
});

test('an installation that broke off is done again', async () => {
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
])('npm’s %s is told in one sentence', async (code, sentence) => {
  const run = project.run(['operator'], { NPM_ERROR: code });
  expect(await run.exitCode()).toBe(1);
  expect(run.stderr).toContain(sentence);
  expect(run.stdout).toBe('');
});

test('Node that npm left out, because its hash is another one for instance, is told in one sentence', async () => {
  const run = project.run(['operator'], { NPM_LEAVES_OUT: 'true' });
  expect(await run.exitCode()).toBe(1);
  expect(run.stderr).toMatch(/npm left out node-.* another hash than tools\/runtime\/package-lock.json/);
  expect(project.installs()).toHaveLength(1);
});

test('a machine without npm is told so', async () => {
  rmSync(join(project.directory, 'bin/npm'));
  const run = project.run(['operator'], { PATH: join(project.directory, 'bin') });
  expect(await run.exitCode()).toBe(1);
  expect(run.stderr).toContain('npm can’t be started');
});

test('of two at once, one installs and the other waits', async () => {
  const first = project.run(['operator'], { NPM_TAKES_MS: '300' });
  await first.until(() => existsSync(project.lock));
  const second = project.run(['operator']);
  expect(await Promise.all([first.exitCode(), second.exitCode()])).toEqual([0, 0]);
  expect(second.stderr).toContain('waiting');
  expect(project.installs()).toHaveLength(2);
});

test.each([
  ['of a process that is gone', `999999999 ${hostname()}`],
  ['left by a holder that was never heard of again', 'somewhere else'],
])('a lock %s is taken over', async (_, holder) => {
  writeFileSync(project.lock, holder);
  if (holder.startsWith('somewhere')) utimesSync(project.lock, 0, 0);
  await install();
  expect(existsSync(project.lock)).toBe(false);
});

test('Ctrl-C during the installation ends it, and the next run installs again', async () => {
  const run = project.run(['operator'], { NPM_TAKES_MS: '60000' });
  await run.until(({ stderr }) => stderr.includes('added 1 package'));
  run.kill('SIGINT');
  expect(await run.exitCode()).toBe(130);
  expect(run.stderr).toContain('interrupted');
  expect(run.stdout).toBe('');
  expect(existsSync(project.lock)).toBe(false);
  await install();
});

test('signals reach the program once, and its exit code comes back', async () => {
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

test('when npm is killed, the program is told to end', async () => {
  await install();
  const run = project.runInShell(['operator', 'wait'], { npm_lifecycle_event: 'operator' });
  await run.until(({ stdout }) => stdout.includes('args'));
  run.kill('SIGKILL');
  await run.until(({ stdout }) => stdout.includes('SIGTERM'));
});

test('a failing program’s exit code comes back', async () => {
  await install();
  expect(await project.run(['operator', 'fail']).exitCode()).toBe(3);
});

test.each(['', 'strat', 'constructor'])('“%s” is no command', async (command) => {
  const run = project.run([command]);
  expect(await run.exitCode()).toBe(1);
  expect(run.stderr).toContain('There are: start, dev, test');
  expect(project.installs()).toEqual([]);
});

test('an old Node is told what is needed', async () => {
  const preload = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'18.20.0'}})`;
  const run = project.run(['start'], { NODE_OPTIONS: `--import=${preload}` });
  expect(await run.exitCode()).toBe(1);
  expect(run.stderr).toContain('Node 20 or newer is needed');
  expect(readFileSync(join(project.directory, 'tools/bootstrap.mjs'), 'utf8')).not.toMatch(/^import /m);
});
