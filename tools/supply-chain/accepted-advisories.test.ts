import { expect, test } from 'vitest';
import { acceptedProblems } from './accepted-advisories.ts';

const now = new Date('2026-03-01T12:00:00Z');
const entry = {
  advisory: 'GHSA-aaaa-bbbb-cccc',
  package: 'one',
  reason: 'We never call it.',
  expires: '2026-06-01',
};

test('an entry with a reason and a near date is fine', () => {
  expect(acceptedProblems([entry], now)).toEqual([]);
});

test.each([
  [{ expires: '2026-03-01' }, 'expired on 2026-03-01'],
  [{ expires: '2027-06-01' }, 'more than 183 days'],
  [{ expires: 'never' }, 'is no date'],
  [{ expires: '2026-13-01' }, 'is no date'],
  [{ reason: ' ' }, 'no reason'],
  [{ advisory: '*' }, "no advisory's id"],
])('%j is found', (change, problem) => {
  expect(acceptedProblems([{ ...entry, ...change }], now)).toEqual([expect.stringContaining(problem)]);
});
