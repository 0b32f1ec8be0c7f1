import { expect, test } from 'vitest';
import { mayBeSkipped, refuseSkips } from './skips.ts';

test('on a build server a skip that is not in the list is a failure with its name and reason', () => {
  const allowed = { name: 'supply chain', message: 'network: no connection (ENOTFOUND)' };
  const refused = { name: 'server/a.test.ts › b', message: 'no camera' };
  const result = refuseSkips({ passed: 3, failed: 1, skipped: [allowed, refused] }, 'installed');
  expect(result).toEqual({
    passed: 3,
    failed: 2,
    skipped: [allowed],
    faults: [{ name: refused.name, message: 'skipped on a build server, where it must run: no camera' }],
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
  ['a missing package that nobody tried to install', clock, undefined, 1],
  ['a missing package, apt’s server being away', clock, 'unreachable', 0],
  ['a missing package, nobody being allowed to install it', clock, 'not-permitted', 0],
  ['a missing privilege', power, 'installed', 0],
  ['a missing history', upgrade, 'installed', 0],
  ['an allowed name for another reason', { ...clock, message: 'privilege: none' }, 'unreachable', 1],
  ['an allowed name without a reason', { ...power, message: 'no reason given' }, 'unreachable', 1],
  ['a torture that nothing may prevent', { ...power, name: 'torture/src/tortures.test.ts › crash' }, '', 1],
])('%s', (_, skip, systemPackages, failed) => {
  const result = refuseSkips({ passed: 1, failed: 0, skipped: [skip] }, systemPackages);
  expect([result.failed, result.skipped?.length]).toEqual([failed, 1 - failed]);
});

test('of the checks only the one that asks the registry may be skipped', () => {
  const checks = mayBeSkipped.filter(({ name }) => !name.includes('.test.ts'));
  expect(checks.map(({ name }) => name)).toEqual(['supply chain']);
});
