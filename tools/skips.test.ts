import { expect, test } from 'vitest';
import { allowedSkips, refuseSkips } from './skips.ts';

test('turns a skip that is not listed into a failure with its name and reason', () => {
  const allowed = { name: 'supply chain', message: 'network: no connection (ENOTFOUND)' };
  const refused = { name: 'server/a.test.ts › b', message: 'no camera' };
  const result = refuseSkips({ passed: 3, failed: 1, skipped: [allowed, refused] }, 'installed');
  expect(result).toEqual({
    passed: 3,
    failed: 2,
    skipped: [allowed],
    failures: [{ name: refused.name, message: 'skipped on a build server, where it must run: no camera' }],
  });
});

const clock = {
  name: 'torture/src/tortures.test.ts › clock',
  message: 'package: libfaketime is not installed',
};
const power = {
  name: 'torture/src/tortures.test.ts › power',
  message: 'privilege: mount: permission denied',
};
const upgrade = { name: 'torture/src/tortures.test.ts › upgrade', message: 'history: a shallow clone' };

test.each([
  ['a missing package that could have been installed', clock, 'installed', 1],
  ['a missing package, without an attempt to install it', clock, undefined, 1],
  ['a missing package, with apt’s server unreachable', clock, 'unreachable', 0],
  ['a missing package, without permission to install it', clock, 'not-permitted', 0],
  ['a missing privilege', power, 'installed', 0],
  ['a missing history', upgrade, 'installed', 0],
  [
    'a listed name with a reason that is not listed',
    { ...clock, message: 'privilege: none' },
    'unreachable',
    1,
  ],
  ['a listed name without a reason', { ...power, message: 'no reason given' }, 'unreachable', 1],
  ['a torture test that is not listed', { ...power, name: 'torture/src/tortures.test.ts › crash' }, '', 1],
])('judges %s', (_, skip, systemPackages, failed) => {
  const result = refuseSkips({ passed: 1, failed: 0, skipped: [skip] }, systemPackages);
  expect([result.failed, result.skipped?.length]).toEqual([failed, 1 - failed]);
});

test('permits skipping the check that queries the registry, the tests of controls in a browser and four libraries, and no stage', () => {
  const checks = allowedSkips.filter(({ name }) => !name.includes('.test.ts'));
  expect(checks.map(({ name }) => name)).toEqual([
    'supply chain',
    'ui',
    'sdk › Python',
    'sdk › Go',
    'sdk › PHP',
    'sdk › Java',
  ]);
});
