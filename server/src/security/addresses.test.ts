import { isIP, SocketAddress } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockText, canonicalAddress, isInBlock, parseAddress, parseBlock } from './addresses.ts';

describe('an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.255'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:0db8:0000:0000:0001:0000:0000:0001', '2001:db8::1:0:0:1'],
    ['::', '::'],
    ['::1', '::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    // None of these is IPv4-mapped.
    ['::192.0.2.1', '::c000:201'],
    ['::ffff:0:192.0.2.1', '::ffff:0:c000:201'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
  ])('%s is written %s', (text, canonical) => expect(canonicalAddress(text)).toBe(canonical));

  it.each([
    '',
    ' ',
    '.',
    ':',
    ':::',
    'localhost',
    'unknown',
    '_hidden',
    '192.0.2',
    '192.0.2.1.1',
    '192.0.2.256',
    // Forms that `inet_aton` accepts.
    '0x7f.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '127.0.0.01',
    '010.1.1.1',
    '00.0.0.0',
    '1e2.0.0.1',
    '+1.0.0.1',
    '-1.0.0.1',
    '1.2.3.4.',
    '.1.2.3.4',
    '1..2.3',
    ' 192.0.2.1',
    '192.0.2.1 ',
    '192.0.2.1\n',
    '\t::1',
    '192.0.2.1\0',
    '１９２.0.2.1',
    '192。0。2。1',
    '192.0.2.1:80',
    '[::1]',
    '[::1]:80',
    '192.0.2.1/32',
    '::1/128',
    '"192.0.2.1"',
    '192.0.2.1,192.0.2.2',
    'fe80::1%eth0',
    'fe80::1%',
    'fe80::1%1',
    '::1%lo',
    '192.0.2.1%eth0',
    '1::2::3',
    '12345::',
    '00001::',
    'g::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '::ffff:0x7f.0.0.1',
    '::ffff:0177.0.0.1',
    '::ffff:127.1',
    '::ffff:127.0.0.01',
    '1.2.3.4::',
    '::1.2.3.4:5',
    '1'.repeat(10_000),
  ])('%j is not an address', (text) => expect(parseAddress(text)).toBeUndefined());

  it('is whatever the operating system accepts, and its canonical form is stable', () => {
    const part = fc.oneof(
      fc.constantFrom('', '0', '00', '1', '127', '255', '256', '01', '0x1', 'ffff', 'abcd', '%1', ' ', '/'),
      fc.integer({ min: 0, max: 0x1ffff }).map((number) => number.toString(16)),
    );
    const text = fc
      .array(fc.tuple(part, fc.constantFrom(':', '.', '::')), { minLength: 1, maxLength: 9 })
      .map((parts) => parts.flat().join('').slice(0, -1));
    const real = fc.oneof(fc.ipV4(), fc.ipV6());
    fc.assert(
      fc.property(fc.oneof(text, real), (given) => {
        const canonical = canonicalAddress(given);
        expect(canonical !== undefined).toBe(isIP(given) !== 0 && !given.includes('%'));
        if (canonical === undefined) return;
        expect(canonicalAddress(canonical)).toBe(canonical);
        const known = SocketAddress.parse(given.includes(':') ? `[${given}]` : given)?.address;
        expect(canonicalAddress(known ?? '')).toBe(canonical);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a block', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['203.0.113.7/25', '203.0.113.0/25'],
    ['203.0.113.255/31', '203.0.113.254/31'],
    ['255.255.255.255/0', '0.0.0.0/0'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['2001:DB8:ffff::1/33', '2001:db8:8000::/33'],
    ['ffff::/0', '::/0'],
    ['::ffff:10.1.2.3', '10.1.2.3/32'],
    ['::ffff:10.1.2.3/128', '10.1.2.3/32'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
    ['::ffff:a01:203/120', '10.1.2.0/24'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
  ])('%s is %s', (text, block) => {
    const read = parseBlock(text);
    expect(read && blockText(read)).toBe(block);
  });

  it.each([
    '::ffff:10.0.0.0/8',
    '::ffff:10.0.0.0/95',
    '::ffff:0:0/0',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0.0/024',
    '10.0.0.0/',
    '10.0.0.0/ 8',
    '10.0.0.0/8 ',
    '10.0.0.0/8/8',
    '/8',
    '/',
    '10.0.0.0/0x8',
    '10.0.0.0/1e1',
    '10.0.0.0/+8',
    '10.0.0.0/255.0.0.0',
    '10.0.0.0/999999999999',
    '10/8',
    '010.0.0.0/8',
    '0xa.0.0.0/8',
    '10.1/16',
    'fe80::1%eth0/64',
    'fe80::/10%eth0',
    '[::]/0',
    'all',
    '',
  ])('%j is not a block', (text) => expect(parseBlock(text)).toBeUndefined());

  it.each([
    ['127.0.0.0/8', '127.255.255.255', true],
    ['127.0.0.0/8', '128.0.0.0', false],
    ['127.0.0.1', '::ffff:127.0.0.1', true],
    ['::/0', '127.0.0.1', false],
    ['::/0', '::ffff:127.0.0.1', false],
    ['0.0.0.0/0', '::1', false],
    ['0.0.0.0/0', '::127.0.0.1', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::', false],
  ])('%s contains %s: %s', (block, address, expected) => {
    const [readBlock, readAddress] = [parseBlock(block), parseAddress(address)];
    if (!readBlock || !readAddress) throw new Error('invalid block or address');
    expect(isInBlock(readAddress, readBlock)).toBe(expected);
  });
});
