import { collectionRefusals } from '@hengfu/contract/channels';
import { zhCn } from '@hengfu/phrases/zh-cn';
import { expect, test } from 'vitest';
import { detailOf } from './collection-looks.ts';

const bankText = '<b>insufficient</b> funds ¤';
const t = (key: string) => key;

test.each(collectionRefusals)(
  'shows a phrase for the refusal %s, and the bank’s text separately',
  (refusal) => {
    expect(detailOf({ reason: 'channel_refused', refusal, detail: bankText }, t)).toEqual({
      detail: `collections.refusal.${refusal}`,
      channelMessage: bankText,
    });
    expect(zhCn.collections.refusal[refusal]).toMatch(/。$/);
  },
);

test('shows only the bank’s text if an earlier version stored no refusal code', () => {
  const shown = detailOf({ reason: 'channel_refused', refusal: null, detail: bankText }, t);
  expect(shown).toEqual({ detail: null, channelMessage: bankText });
});

test('leaves details unchanged that are not from the bank', () => {
  const [reason, detail] = ['amount_mismatch', '12.00 CNY (b)'];
  expect(detailOf({ reason, refusal: null, detail }, t)).toEqual({ detail });
});
