import { describe, expect, it } from 'vitest';
import { type Block, parseAddress, parseBlock } from './addresses.ts';
import { isPublicAddress, specialBlocks } from './public-addresses.ts';

/** The first and the last address of a block, and the ones before and after it; undefined where there are none. */
function edgesOf({ network, prefixLength }: Block) {
  const bytes = network.toByteArray();
  const width = bytes.length * 8;
  const first = bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
  const last = first + (1n << BigInt(width - prefixLength)) - 1n;
  const text = (value: bigint): string | undefined => {
    if (value < 0n || value >> BigInt(width) > 0n) return undefined;
    const digits = value.toString(16).padStart(width / 4, '0');
    return width === 128
      ? (digits.match(/.{4}/g) ?? []).join(':')
      : (digits.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)).join('.');
  };
  return { first: text(first), last: text(last), before: text(first - 1n), after: text(last + 1n) };
}

/** Blocks with a public address right before or after them. The others border on reserved space or on another block. */
const neighbours: Record<string, { before: boolean; after: boolean }> = {
  '0.0.0.0/8': { before: false, after: true },
  '10.0.0.0/8': { before: true, after: true },
  '100.64.0.0/10': { before: true, after: true },
  '127.0.0.0/8': { before: true, after: true },
  '168.63.129.16/32': { before: true, after: true },
  '169.254.0.0/16': { before: true, after: true },
  '172.16.0.0/12': { before: true, after: true },
  '192.0.0.0/24': { before: true, after: true },
  '192.0.2.0/24': { before: true, after: true },
  '192.31.196.0/24': { before: true, after: true },
  '192.52.193.0/24': { before: true, after: true },
  '192.88.99.0/24': { before: true, after: true },
  '192.168.0.0/16': { before: true, after: true },
  '192.175.48.0/24': { before: true, after: true },
  '198.18.0.0/15': { before: true, after: true },
  '198.51.100.0/24': { before: true, after: true },
  '203.0.113.0/24': { before: true, after: true },
  '224.0.0.0/4': { before: true, after: false },
  '240.0.0.0/4': { before: false, after: false },
  '2001::/23': { before: true, after: true },
  '2001:db8::/32': { before: true, after: true },
  '2002::/16': { before: true, after: true },
  '2620:4f:8000::/48': { before: true, after: true },
  '3ffe::/16': { before: true, after: false },
  '3fff::/20': { before: false, after: true },
};

describe('a special-purpose block', () => {
  it.each(specialBlocks)('$block ($purpose) is refused from its first address to its last', ({ block }) => {
    const read = parseBlock(block);
    if (!read) throw new Error(`${block} is not a block`);
    const { first, last, before, after } = edgesOf(read);
    expect([first, last].map((text) => text && isPublicAddress(text))).toEqual([false, false]);
    const beside = { before: isPublicAddress(before ?? ''), after: isPublicAddress(after ?? '') };
    expect(beside).toEqual(neighbours[block] ?? { before: false, after: false });
  });

  it('is written with its first address', () => {
    for (const { block } of specialBlocks)
      expect(block.startsWith(`${parseBlock(block)?.network.toString()}/`)).toBe(true);
  });
});

it.each([
  // Metadata services of clouds.
  '169.254.169.254',
  '169.254.170.2',
  'fd00:ec2::254',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd20:ce::254',
  // IPv4 inside IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo.
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::a00:1',
  '2002:a00:1::1',
  '2002:808:808::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:30::1',
  // Reserved space beside 2000::/3, and everything that is no address at all.
  '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '4000::',
  '6000::1',
  '8000::1',
  'c000::1',
  'f000::1',
  '::',
  '::1',
  '0.0.0.0',
  '255.255.255.255',
  '224.0.0.1',
  'ff02::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  '',
  'localhost',
  '0x8.8.8.8',
  '8.8',
  '134744072',
  '8.8.8.8:80',
  ' 8.8.8.8',
  '2606:4700::1%eth0',
])('%j is not public', (text) => expect(isPublicAddress(text)).toBe(false));

it.each([
  '1.0.0.0',
  '8.8.8.8',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '2000::',
  '2606:4700:4700::1111',
  '2a00::1',
  '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
])('%s is public', (text) => {
  expect(parseAddress(text)).toBeDefined();
  expect(isPublicAddress(text)).toBe(true);
});
