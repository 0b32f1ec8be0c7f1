import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTool } from './run-tool.ts';
import { root } from './sources.ts';
import type { StageResult } from './stage.ts';

const files = {
  'a.test.ts': `
    let tries = 0;
    test('passes', () => {});
    test('fails', () => expect(1).toBe(2));
    test('fails for a reason', () => { throw new Error('property failed', { cause: new Error('the lock was taken') }); });
    test('passes on retry', () => expect(++tries).toBe(2));`,
  'hook.test.ts': `
    describe('inside', () => {
      afterAll(() => { throw new Error('not cleaned up'); });
      test('passes', () => {});
    });`,
  'skip.test.ts': `
    test('skips itself', (context) => context.skip('no camera'));
    test.skip('skipped', () => {});
    describe.skipIf(true)('a skipped suite', () => { test('skipped with it', () => {}); });
    test.todo('to do');`,
  'before.test.ts': `
    describe('not prepared', () => {
      beforeAll(() => { throw new Error('no camera at all'); });
      describe('inside', () => { test('passes', () => {}); });
    });`,
  'load.test.ts': `import './nowhere.ts';`,
  'unawaited.test.ts': `
    test('passes', () => new Promise((done) => { Promise.reject(new Error('not awaited')); setTimeout(done, 100); }));`,
};

let folder: string;
let result: StageResult;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hengfu-reporter-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const reporter = `--reporter=${join(root, 'tools/stage-reporter.ts')}`;
  const args = ['run', '--globals', '--retry=1', `--root=${folder}`, reporter];
  const report = join(folder, 'report.json');
  await runTool('vitest', args, { env: { STAGE_FILE: report } });
  result = JSON.parse(await readFile(report, 'utf8'));
});
afterAll(() => rm(folder, { recursive: true }));

test('counts passed and failed tests, and names each failure with its message', () => {
  expect(result).toMatchObject({ passed: 4, failed: 6 });
  expect(result.failures?.[0]?.name).toBe('a.test.ts › fails');
  expect(result.failures?.[0]?.message).toContain('expected 1 to be 2');
});

test('says what caused a failure', () => {
  expect(result.failures?.[1]?.message).toMatch(/property failed.*Caused by: .*the lock was taken/s);
});

test('counts a test that passes on retry as passed, and names it with its first message', () => {
  expect(result.flaky?.map(({ name }) => name)).toEqual(['a.test.ts › passes on retry']);
  expect(result.flaky?.[0]?.message).toContain('expected 1 to be 2');
});

test.each([
  ['a hook', 'hook.test.ts › inside', 'not cleaned up'],
  ['a hook before tests', 'before.test.ts › not prepared', 'no camera at all'],
  ['a file that does not load', 'load.test.ts', 'nowhere.ts'],
  ['an unawaited promise', 'outside of any test', 'not awaited'],
])('reports the failure of %s', (_, name, message) => {
  expect(result.failures?.find((failure) => failure.name === name)?.message).toContain(message);
});

test('lists each file with its duration', () => {
  const names = result.files?.map(({ name }) => name).sort();
  expect(names).toEqual(Object.keys(files).sort());
  const slow = result.files?.find(({ name }) => name === 'unawaited.test.ts');
  expect(slow?.durationMs).toBeGreaterThanOrEqual(99);
});

test('counts a skipped test neither as passed nor as failed, and names it with its reason', () => {
  expect(result.skipped).toEqual([
    { name: 'skip.test.ts › skips itself', message: 'no camera' },
    { name: 'skip.test.ts › skipped', message: 'no reason given' },
    { name: 'skip.test.ts › a skipped suite > skipped with it', message: 'no reason given' },
    { name: 'skip.test.ts › to do', message: 'no reason given' },
  ]);
});
