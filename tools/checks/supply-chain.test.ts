import { expect, test } from 'vitest';
import { combineVerdicts } from './supply-chain.ts';

const verified = { kind: 'verified' } as const;
const failed = { kind: 'failed', problems: ['one@1.0.0: its signature is invalid'] } as const;
const unanswered = { kind: 'unanswered', reason: 'the registry replied 405' } as const;

test('passes only if every query was answered', () => {
  expect(combineVerdicts([['signatures', verified]])).toEqual({ problems: [] });
  expect(
    combineVerdicts([
      ['signatures', verified],
      ['advisories', unanswered],
    ]),
  ).toEqual({ problems: [], skipped: 'network: advisories: the registry replied 405' });
});

test('fails if one query failed and another was not answered', () => {
  const result = combineVerdicts([
    ['signatures', failed],
    ['advisories', unanswered],
  ]);
  expect(result.problems).toEqual(['signatures: one@1.0.0: its signature is invalid']);
});
