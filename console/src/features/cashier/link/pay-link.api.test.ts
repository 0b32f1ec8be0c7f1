import type { PayLink } from '@hengfu/contract/pay-links';
import { expect, it } from 'vitest';
import { isPayLink } from './pay-link.api.ts';

const link: PayLink = {
  merchant: 'Tea',
  color: null,
  logo: null,
  registeredName: null,
  title: 'Course',
  description: null,
  hasPicture: false,
  state: 'open',
  currency: 'CNY',
  amount: '10.00',
  least: null,
  most: null,
  maxQuantity: 1,
  asked: { known: [], own: [] },
  version: 'v',
};

it('a page begins with the link that it came with, unless its shape is not known', () => {
  expect(isPayLink(link)).toBe(true);
  for (const other of [
    undefined,
    null,
    'link',
    {},
    { ...link, state: 'resting' },
    { ...link, asked: undefined },
    { ...link, version: undefined },
  ])
    expect(isPayLink(other)).toBe(false);
});
