import { payoutRefusals } from '@hengfu/contract/channels';
import { zhCn } from '@hengfu/phrases/zh-cn';
import { expect, test } from 'vitest';
import type { Translate } from '../language/i18n.ts';
import { detailOf } from './payout-looks.ts';

const bankText = '<b>insufficient</b> funds ¤';
const reader = { t: (key: string) => key, language: 'en' } as const;

test.each(payoutRefusals)('shows a phrase for the refusal %s, and the bank’s text separately', (refusal) => {
  expect(detailOf({ reason: 'channel_refused', refusal, detail: bankText }, reader)).toEqual({
    detail: `payouts.refusal.${refusal}`,
    channelMessage: bankText,
  });
  expect(zhCn.payouts.refusal[refusal]).toMatch(/。$/);
});

test('shows only the bank’s text if an earlier version stored no refusal code', () => {
  const shown = detailOf({ reason: 'channel_refused', refusal: null, detail: bankText }, reader);
  expect(shown).toEqual({ detail: null, channelMessage: bankText });
});

test.each([
  ['channel_contradicts', 'paid (bp_8c2f)', '报告为已付款，银行流水号 bp_8c2f'],
  ['channel_contradicts', 'refused (null)', '报告为付款失败'],
  ['statement_contradicts', 'failed (2026 (A))', '报告为付款失败，银行流水号 2026 (A)'],
  ['statement_contradicts', 'something else', 'something else'],
])('puts a report that contradicts the outcome into words: %s, %s', (reason, detail, shown) => {
  const inChinese: Translate = (key, values = {}) => {
    const phrase = key
      .split('.')
      .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], zhCn) as string;
    return phrase.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]));
  };
  expect(detailOf({ reason, refusal: null, detail }, { ...reader, t: inChinese })).toEqual({ detail: shown });
});

test('leaves details unchanged that are not from the bank', () => {
  const [reason, detail] = ['staff_rejected', 'not theirs'];
  expect(detailOf({ reason, refusal: null, detail }, reader)).toEqual({ detail });
});

test('shows the amount that the channel reported in the reader’s language', () => {
  const event = { reason: 'amount_mismatch', refusal: null, detail: '99.00 CNY (bp_8c2f)' };
  expect(detailOf(event, reader)).toEqual({ detail: '¥99.00 (bp_8c2f)' });
});
