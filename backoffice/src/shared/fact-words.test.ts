import { en } from '@hengfu/phrases/en';
import type { Translate } from '@hengfu/ui/language/i18n.ts';
import { expect, test } from 'vitest';
import { factText, subjectText } from './fact-words.ts';

/** Reads the English phrase of a key; without values, which these facts do not need. */
const t: Translate = (key) =>
  key.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], en) as string;
const reader = { t, language: 'en', zone: 'Asia/Shanghai' } as const;

test.each([
  ['channel', 'CN_BANK', 'China bank transfer'],
  ['roles', 'ADMIN, REVIEWER', 'Administrator, Reviewer'],
  ['roles', 'MERCHANT_ADMIN, MERCHANT_VIEWER', 'Administrator, Viewer'],
  ['scopes', 'payouts, read', 'Payouts, Read only'],
  ['contact', 'email help@example.com', 'Email help@example.com'],
  ['expiresAt', '2026-01-31T01:00:00Z', '2026'],
  [
    'rules',
    'payout 1000.00 CNY 1 × MERCHANT_ADMIN/FINANCE; team 2 × MERCHANT_ADMIN',
    'Payouts ¥1,000.00 1 × Administrator / Finance\nTeam 2 × Administrator',
  ],
  ['settlementCycle', 'weekly-friday', 'Once a week (Friday)'],
  // Values that this version does not know are shown as they are.
  ['channel', 'XX_BANK', 'XX_BANK'],
  ['rules', 'later 1 × SOMEBODY', 'later 1 × SOMEBODY'],
  ['contact', 'pigeon coop', 'pigeon coop'],
] as const)('puts the fact %s %s into words', (name, value, words) => {
  expect(factText(name, value, reader)).toContain(words);
});

test('names the channel that a request is about', () => {
  expect(subjectText({ kind: 'channelTerms', subject: 'acme CN_BANK' }, reader)).toBe('China bank transfer');
  expect(subjectText({ kind: 'merchantLimits', subject: 'acme' }, reader)).toBe('acme');
});
