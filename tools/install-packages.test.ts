import { expect, test } from 'vitest';
import { packagesMayBeMissing } from './skips.ts';
import { type FakeSystem, installPackages } from './testing/fake-apt.ts';

const all =
  'chromium-headless-shell chromium fonts-noto-cjk git libfaketime e2fsprogs mount python3 pgbouncer libreoffice-calc postgresql-15 patroni python3-etcd etcd-server haproxy iproute2 golang-go php-cli php-curl phpunit openjdk-17-jdk-headless junit4'.split(
    ' ',
  );

test('installs only the packages that are missing', async () => {
  const { outcome, calls } = await installPackages({ installed: all.filter((name) => name !== 'pgbouncer') });
  expect(outcome).toBe('installed');
  expect(calls.at(-1)).toBe('install -y --no-install-recommends pgbouncer');
  expect((await installPackages({ installed: all })).calls).toEqual([]);
});

const unknown = 'E: Unable to locate package chromium';

test.each<[string, FakeSystem, string, boolean]>([
  ['all installed', {}, 'installed', false],
  ['not root', { isRoot: false }, 'not-permitted', true],
  ['not root, nothing missing', { isRoot: false, installed: all }, 'installed', false],
  ['a system without apt', { hasApt: false }, 'not-permitted', true],
  [
    'the package server can’t be reached',
    { updateError: 'Err:1 Could not resolve deb.example', installError: ['chromium', unknown] },
    'unreachable',
    true,
  ],
  [
    'the download fails',
    { installError: ['chromium', 'E: Failed to fetch the archive'] },
    'unreachable',
    true,
  ],
  [
    'another package source can’t be reached',
    { updateError: 'Err:1 Could not resolve extra.example' },
    'installed',
    false,
  ],
  ['the system does not have a package', { installError: ['chromium', unknown] }, 'installed', false],
])('reports the outcome: %s', async (_, system, outcome, mayBeMissing) => {
  expect((await installPackages(system)).outcome).toBe(outcome);
  expect(packagesMayBeMissing(outcome)).toBe(mayBeMissing);
});

test('starts no service and creates no cluster of PostgreSQL', async () => {
  const { seen, hasPolicy } = await installPackages({});
  expect(seen).toBe('#!/bin/sh\nexit 101\ncreate_main_cluster = false\n');
  expect(hasPolicy).toBe(false);
});

test('installs the other packages if the system does not have one', async () => {
  const { calls } = await installPackages({ installError: ['chromium', unknown] });
  for (const name of all.filter((each) => each !== 'chromium'))
    expect(calls).toContain(`install -y --no-install-recommends ${name}`);
});
