import { expect, it } from 'vitest';
import { openBlocks } from './open-blocks.ts';

/** Consecutive IPv4 blocks of one length. */
const consecutive = (count: number, prefixLength: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const first = index * 2 ** (32 - prefixLength);
    return `${first >>> 24}.${(first >>> 16) & 255}.${(first >>> 8) & 255}.${first & 255}/${prefixLength}`;
  });

it.each([
  [['0.0.0.0/0'], ['0.0.0.0/0']],
  [['203.0.113.7/32', '0.0.0.0/0', '10.0.0.0/8'], ['0.0.0.0/0']],
  [['::/0'], ['::/0']],
  [['2000::/3'], ['2000::/3']],
  [['128.0.0.0/7'], ['128.0.0.0/7']],
  [['2000::/15'], ['2000::/15']],
  // Split into pieces, a block is as broad as before.
  [
    ['0.0.0.0/8', '1.0.0.0/8'],
    ['0.0.0.0/8', '1.0.0.0/8'],
  ],
  [consecutive(128, 14), consecutive(128, 14)],
  [
    ['0.0.0.0/1', '::/1'],
    ['0.0.0.0/1', '::/1'],
  ],
])('%j requires a confirmation of %j', (blocks, open) => expect(openBlocks(blocks)).toEqual(open));

it.each([
  [[]],
  [['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '203.0.113.7/32']],
  [['2001::/16', '2001:db8::/32', '::1/128']],
  [['10.0.0.0/8', '2001::/16']],
  [consecutive(127, 14)],
])('%j requires no confirmation', (blocks) => expect(openBlocks(blocks)).toEqual([]));
