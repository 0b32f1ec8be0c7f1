import { collectionRefusals } from '@hengfu/contract/channels';
import { zhCn } from '@hengfu/phrases/zh-cn';
import { expect, test } from 'vitest';
import { detailOf } from './collection-looks.ts';

const bankText = '<b>insufficient</b> funds ¤';
const reader = { t: (key: string) => key, language: 'en' } as const;

test.each(collectionRefusals)(
  'shows a phrase for the refusal %s, and the bank’s text separately',
  (refusal) => {
    expect(detailOf({ reason: 'channel_refused', refusal, detail: bankText }, reader)).toEqual({
      detail: `collections.refusal.${refusal}`,
      channelMessage: bankText,
    });
    expect(zhCn.collections.refusal[refusal]).toMatch(/。$/);
  },
);

test('shows only the bank’s text if an earlier version stored no refusal code', () => {
  const shown = detailOf({ reason: 'channel_refused', refusal: null, detail: bankText }, reader);
  expect(shown).toEqual({ detail: null, channelMessage: bankText });
});

test('leaves details unchanged that are neither from the bank nor an amount', () => {
  const [reason, detail] = ['refund_approval_refused', 'Only 12.00 CNY were returned'];
  expect(detailOf({ reason, refusal: null, detail }, reader)).toEqual({ detail });
});

test.each([
  ['en', '28.50 CNY', '¥28.50'],
  ['zh-cn', '28.50 CNY', '¥28.50'],
  ['vi', '1000000 VND', '1.000.000 ₫'],
  ['en', '12.00 CNY (bc_4f)', '¥12.00 (bc_4f)'],
  // A text without an amount stays as it was stored.
  ['en', '28.50 XYZ', '28.50 XYZ'],
] as const)('shows a stored amount in the reader’s language: %s %s', (language, detail, shown) => {
  for (const reason of ['part_refunded', 'amount_mismatch', 'paid_again']) {
    const text = detailOf({ reason, refusal: null, detail }, { ...reader, language }).detail;
    expect(text?.replaceAll('\u00a0', ' ')).toBe(shown);
  }
});

test('puts a report that contradicts the payment into words', () => {
  const event = { reason: 'channel_contradicts', refusal: null, detail: 'refused (bc_4f)' };
  expect(detailOf(event, reader)).toEqual({ detail: 'payouts.reportedWith' });
});
