import { describe, expect, it } from 'vitest';
import { formatBlock } from './addresses.ts';
import { parseBlocks } from './block-lines.ts';

describe('the lines of a whitelist', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['2001:DB8::1/32', '2001:db8::/32'],
    ['::ffff:192.0.2.1', '192.0.2.1/32'],
    ['  198.51.100.0/25\t', '198.51.100.0/25'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
  ])('%s is %s', (text, block) => expect(parseBlocks(text)).toEqual({ blocks: [block], wrong: [] }));

  it('yield distinct blocks, and errors numbered from one', () => {
    const text =
      '192.0.2.1\r\n\r\n192.0.2.1/32\nnonsense\n192.0.2.300\n10.0.0.0/33\n010.1.1.1\nfe80::1%eth0\nfe80::1%eth0/64\n198.51.100.0/025\n::ffff:10.0.0.0/8';
    expect(parseBlocks(text)).toEqual({
      blocks: ['192.0.2.1/32'],
      wrong: [
        { line: 4, text: 'nonsense' },
        { line: 5, text: '192.0.2.300' },
        { line: 6, text: '10.0.0.0/33' },
        { line: 7, text: '010.1.1.1' },
        { line: 8, text: 'fe80::1%eth0' },
        { line: 9, text: 'fe80::1%eth0/64' },
        { line: 10, text: '198.51.100.0/025' },
        { line: 11, text: '::ffff:10.0.0.0/8' },
      ],
    });
  });

  it('show single addresses without a prefix length', () => {
    expect(['192.0.2.1/32', '192.0.2.0/24', '2001:db8::1/128'].map(formatBlock)).toEqual([
      '192.0.2.1',
      '192.0.2.0/24',
      '2001:db8::1',
    ]);
  });
});
