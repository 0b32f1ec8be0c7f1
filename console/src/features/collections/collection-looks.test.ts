import { collectionRefusals } from '@hengfu/contract/channels';
import { zhCn } from '@hengfu/phrases/zh-cn';
import { expect, test } from 'vitest';
import { detailOf } from './collection-looks.ts';

const words = '<b>insufficient</b> funds ¤';
const t = (key: string) => key;

test.each(collectionRefusals)(
  'a refusal for %s is told by a phrase, and the bank’s words apart from it',
  (refusal) => {
    expect(detailOf({ reason: 'channel_refused', refusal, detail: words }, t)).toEqual({
      detail: `collections.refusal.${refusal}`,
      channelMessage: words,
    });
    expect(zhCn.collections.refusal[refusal]).toMatch(/。$/);
  },
);

test('a refusal of an earlier version, without a code, shows the bank’s words as such only', () => {
  const told = detailOf({ reason: 'channel_refused', refusal: null, detail: words }, t);
  expect(told).toEqual({ detail: null, channelMessage: words });
});

test('what is not a bank’s stands as it is', () => {
  const [reason, detail] = ['amount_mismatch', '12.00 CNY (b)'];
  expect(detailOf({ reason, refusal: null, detail }, t)).toEqual({ detail });
});
