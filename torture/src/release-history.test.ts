import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findRelease, git } from './release-history.ts';

let folder: string;
let repository: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hengfu-history-'));
  repository = join(folder, 'sources');
  await git(folder, 'init', '--quiet', repository);
});
afterEach(() => rm(folder, { recursive: true }));

async function write(version: string, ...headings: string[]): Promise<void> {
  const entries = headings.map((heading) => `## ${heading}\n\n- What is new.\n`);
  await writeFile(join(repository, 'CHANGELOG.md'), `# Changelog\n\n${entries.join('\n')}`);
  await writeFile(join(repository, 'package.json'), JSON.stringify({ version }));
}

async function commit(message: string): Promise<string> {
  await git(repository, 'add', '--all');
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  await git(repository, ...author, 'commit', '--quiet', '--allow-empty', '--message', message);
  return (await git(repository, 'rev-parse', 'HEAD')).stdout.trim();
}

test('finds the newest commit whose changelog begins with the version in package.json', async () => {
  await write('0.1.0', '0.1.0');
  await commit('first part of 0.1.0');
  await writeFile(join(repository, 'CHANGELOG.md'), '# Changelog\n\n## 0.1.0\n\n- One.\n- Two.\n');
  const whole = await commit('second part of 0.1.0');
  await commit('nothing of either file');
  await write('0.1.0', 'Unreleased', '0.1.0');
  expect(await findRelease(repository)).toEqual({ version: '0.1.0', commit: whole });
  await commit('unreleased');
  expect(await findRelease(repository)).toEqual({ version: '0.1.0', commit: whole });
});

test('finds the previous release from a release, and the release itself from an unreleased state', async () => {
  await write('0.1.0', '0.1.0');
  const first = await commit('0.1.0');
  await write('0.2.0', '0.2.0', '0.1.0');
  expect(await findRelease(repository)).toEqual({ version: '0.1.0', commit: first });
  const second = await commit('0.2.0');
  expect(await findRelease(repository)).toEqual({ version: '0.1.0', commit: first });
  await write('0.2.0', 'Unreleased', '0.2.0', '0.1.0');
  expect(await findRelease(repository)).toEqual({ version: '0.2.0', commit: second });
});

test('ignores a version that only one of the two files names', async () => {
  await write('0.1.0', '0.1.0');
  const first = await commit('0.1.0');
  await write('0.2.0', '0.1.0');
  await commit('package first');
  await write('0.2.0', 'Unreleased', '0.1.0');
  expect(await findRelease(repository)).toEqual({ version: '0.1.0', commit: first });
});

test.each([
  ['the first release', ['0.1.0'], 'no commit of the history is a release'],
  ['an unreleased first version', ['Unreleased'], 'no commit of the history is a release'],
])('finds no release before %s', async (_, headings, reason) => {
  await write('0.1.0', ...headings);
  await commit('all');
  expect(await findRelease(repository)).toEqual({
    kind: 'history',
    reason: expect.stringContaining(reason),
  });
});

test('reports an obstacle in a shallow clone and in an archive', async () => {
  await write('0.1.0', '0.1.0');
  await commit('0.1.0');
  await write('0.1.0', 'Unreleased', '0.1.0');
  await commit('unreleased');
  const clone = join(folder, 'clone');
  await git(folder, 'clone', '--quiet', '--depth=1', pathToFileURL(repository).href, clone);
  expect(await findRelease(clone)).toEqual({ kind: 'history', reason: expect.stringContaining('shallow') });
  await rm(join(clone, '.git'), { recursive: true });
  expect(await findRelease(clone)).toEqual({ kind: 'history', reason: expect.stringContaining('archive') });
});
