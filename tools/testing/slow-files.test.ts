import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refuseSkips } from '../skips.ts';
import { isTest, listFiles, readSource, root } from '../sources.ts';
import {
  leaveLongFiles,
  longChecks,
  longFileSkips,
  longFiles,
  longStories,
  smallerTests,
} from './long-files.ts';
import { slowFiles, waitingFiles } from './slow-files.ts';

it.each([...slowFiles, ...waitingFiles])('%s, which has a place in the order, exists', (file) => {
  expect(existsSync(join(root, file))).toBe(true);
});

it.each(Object.values(longFiles).flatMap((files) => Object.keys(files)))(
  '%s, which is left to build servers, exists',
  (file) => {
    expect(existsSync(join(root, file))).toBe(true);
  },
);

const filesWith = (part: string, folder: string) =>
  listFiles().filter((file) => file.startsWith(folder) && isTest(file) && readSource(file).includes(part));

it('every test file that is made smaller is named', () => {
  expect(filesWith('isFullRun ?', 'server/')).toEqual(Object.keys(smallerTests.vitest ?? {}));
  expect(readSource('server/src/testing/full-run.ts')).toContain(`process.env.${leaveLongFiles};`);
});

it('the stories that are left out by their tag are those of the files that the reason speaks of', () => {
  const files = ['craft', 'search', 'settings-panel', 'status'].map((name) => `e2e/${name}.spec.ts`);
  expect(filesWith(`tag: '${longStories.tag}'`, 'e2e/')).toEqual(files);
});

it('only the projects of the server leave files of Vitest out', () => {
  expect(Object.keys(longFiles.vitest).filter((file) => !file.startsWith('server/'))).toEqual([]);
});

it('what is left to build servers is skipped by name, for a reason that a build server never accepts', () => {
  const skipped = longFileSkips('e2e');
  expect(skipped.map(({ name }) => name)).toEqual([
    ...Object.keys(longFiles.e2e),
    `stories tagged ${longStories.tag}`,
    longChecks.name,
  ]);
  const { failed } = refuseSkips({ passed: 1, failed: 0, skipped }, 'unreachable');
  expect(failed).toBe(skipped.length);
});
