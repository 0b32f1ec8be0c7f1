import { expect, test } from 'vitest';
import { acceptedProblems } from './accepted-advisories.ts';

const now = new Date('2026-03-01T12:00:00Z');
const entry = {
  advisory: 'GHSA-aaaa-bbbb-cccc',
  package: 'one',
  reason: 'We never call it.',
  expires: '2026-06-01',
};

test('accepts an entry with a reason and a near expiry date', () => {
  expect(acceptedProblems([entry], now)).toEqual([]);
});

test.each([
  [{ expires: '2026-03-01' }, 'expired on 2026-03-01'],
  [{ expires: '2027-06-01' }, 'more than 183 days'],
  [{ expires: 'never' }, 'is not a date'],
  [{ expires: '2026-13-01' }, 'is not a date'],
  [{ reason: ' ' }, 'no reason'],
  [{ advisory: '*' }, 'not an advisory ID'],
])('rejects %j', (change, problem) => {
  expect(acceptedProblems([{ ...entry, ...change }], now)).toEqual([expect.stringContaining(problem)]);
});
