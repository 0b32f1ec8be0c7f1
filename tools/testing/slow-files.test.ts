import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refuseSkips } from '../skips.ts';
import { root } from '../sources.ts';
import { longChecks, longFileSkips, longFiles, longStories, smallerTests } from './long-files.ts';
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

it.each(Object.keys({ ...smallerTests.vitest, ...smallerTests.e2e }))(
  '%s, which is made smaller, asks for it',
  (file) => {
    expect(readFileSync(join(root, file), 'utf8')).toContain('isFullRun ?');
  },
);

it.each(['craft', 'search', 'settings-panel', 'status'])('a story of %s is left out by its tag', (name) => {
  expect(readFileSync(join(root, `e2e/${name}.spec.ts`), 'utf8')).toContain(`tag: '${longStories.tag}'`);
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
