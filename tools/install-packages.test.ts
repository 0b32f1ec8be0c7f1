import { expect, test } from 'vitest';
import { packagesMayBeMissing } from './skips.ts';
import { type FakeSystem, installPackages } from './testing/fake-apt.ts';

const all =
  'chromium fonts-noto-cjk git libfaketime e2fsprogs mount python3 pgbouncer libreoffice-calc'.split(' ');

test('what is missing is installed, and nothing else', async () => {
  const { outcome, calls } = await installPackages({ installed: all.filter((name) => name !== 'pgbouncer') });
  expect(outcome).toBe('installed');
  expect(calls.at(-1)).toBe('install -y --no-install-recommends pgbouncer');
  expect((await installPackages({ installed: all })).calls).toEqual([]);
});

const unknown = 'E: Unable to locate package chromium';

test.each<[string, FakeSystem, string, boolean]>([
  ['all installed', {}, 'installed', false],
  ['another user than root', { isRoot: false }, 'not-permitted', true],
  ['another user than root, nothing missing', { isRoot: false, installed: all }, 'installed', false],
  ['a system without apt', { hasApt: false }, 'not-permitted', true],
  [
    'no way to the server',
    { updateError: 'Err:1 Could not resolve deb.example', installError: ['chromium', unknown] },
    'unreachable',
    true,
  ],
  [
    'a server that breaks off',
    { installError: ['chromium', 'E: Failed to fetch the archive'] },
    'unreachable',
    true,
  ],
  [
    'another source that is away',
    { updateError: 'Err:1 Could not resolve extra.example' },
    'installed',
    false,
  ],
  ['a package that the system lacks', { installError: ['chromium', unknown] }, 'installed', false],
])('%s', async (_, system, outcome, mayBeMissing) => {
  expect((await installPackages(system)).outcome).toBe(outcome);
  expect(packagesMayBeMissing(outcome)).toBe(mayBeMissing);
});

test('a package that the system lacks keeps none of the others away', async () => {
  const { calls } = await installPackages({ installError: ['chromium', unknown] });
  for (const name of all.slice(1)) expect(calls).toContain(`install -y --no-install-recommends ${name}`);
});
