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
    test('holds', () => {});
    test('does not', () => expect(1).toBe(2));
    test('holds at last', () => expect(++tries).toBe(2));`,
  'hook.test.ts': `
    describe('inside', () => {
      afterAll(() => { throw new Error('not tidied'); });
      test('holds', () => {});
    });`,
  'skip.test.ts': `
    test('waits', (context) => context.skip('no camera'));
    test.skip('rests', () => {});
    describe.skipIf(true)('a whole part', () => { test('rests, too', () => {}); });
    test.todo('comes later');`,
  'before.test.ts': `
    describe('not prepared', () => {
      beforeAll(() => { throw new Error('no camera at all'); });
      describe('inside', () => { test('holds', () => {}); });
    });`,
  'load.test.ts': `import './nowhere.ts';`,
  'nobody.test.ts': `
    test('holds', () => new Promise((done) => { Promise.reject(new Error('not awaited')); setTimeout(done, 100); }));`,
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

test('passed and failed tests are counted, and what failed is named with its message', () => {
  expect(result).toMatchObject({ passed: 4, failed: 5 });
  expect(result.faults?.[0]?.name).toBe('a.test.ts › does not');
  expect(result.faults?.[0]?.message).toContain('expected 1 to be 2');
});

test('a second try that passes has passed, and is named with what was wrong at first', () => {
  expect(result.flaky?.map(({ name }) => name)).toEqual(['a.test.ts › holds at last']);
  expect(result.flaky?.[0]?.message).toContain('expected 1 to be 2');
});

test.each([
  ['a hook', 'hook.test.ts › inside', 'not tidied'],
  ['a hook before tests', 'before.test.ts › not prepared', 'no camera at all'],
  ['a file that does not load', 'load.test.ts', 'nowhere.ts'],
  ['a promise that nobody awaits', 'outside of any test', 'not awaited'],
])('%s is a failure with a name', (_, name, message) => {
  expect(result.faults?.find((fault) => fault.name === name)?.message).toContain(message);
});

test('each file is there with the time it took', () => {
  const names = result.files?.map(({ name }) => name).sort();
  expect(names).toEqual(Object.keys(files).sort());
  const slow = result.files?.find(({ name }) => name === 'nobody.test.ts');
  expect(slow?.durationMs).toBeGreaterThanOrEqual(99);
});

test('what was skipped is counted neither as passed nor as failed, and is named with its reason', () => {
  expect(result.skipped).toEqual([
    { name: 'skip.test.ts › waits', message: 'no camera' },
    { name: 'skip.test.ts › rests', message: 'no reason given' },
    { name: 'skip.test.ts › a whole part > rests, too', message: 'no reason given' },
    { name: 'skip.test.ts › comes later', message: 'no reason given' },
  ]);
});
