import { approvalKinds } from '@hengfu/contract/approvals';
import { en } from '@hengfu/phrases/en';
import { expect, it } from 'vitest';
import { decisionHints } from './decision-hints.ts';

const words = (key: string): string =>
  en.approvals[key.replace('approvals.', '') as 'refuseHint' | 'withdrawHint'];

it('speaks of funds that return for orders that lock funds, and for nothing else', () => {
  const returning = approvalKinds.filter((kind) =>
    [decisionHints[kind].refuse, decisionHints[kind].withdraw].some((key) => /funds return/.test(words(key))),
  );
  expect(returning).toEqual(['payout', 'withdrawal', 'batch']);
  const moving = approvalKinds.filter((kind) => /Money/.test(words(decisionHints[kind].approve)));
  expect(moving).toEqual(['payout', 'withdrawal', 'batch', 'refund']);
});
