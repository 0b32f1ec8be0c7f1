import type { Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, canonicalAddress, parseBlock } from './addresses.ts';
import { ClientAddresses, parseNode } from './client-address.ts';

const blocks = (...texts: string[]): Block[] => texts.flatMap((text) => parseBlock(text) ?? []);
const trusted = new ClientAddresses(blocks('127.0.0.1', '10.0.0.0/8', '2001:db8:aaaa::/48'));

/** The address of a client whose socket has this peer and sent this header. */
function clientOf(peer: string | undefined, forwarded?: string, addresses = trusted): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return addresses.of({ socket: { remoteAddress: peer } as Socket, headers });
}

describe('a node of X-Forwarded-For', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:5678', '203.0.113.9'],
    ['203.0.113.9:_port', '203.0.113.9'],
    ['"203.0.113.9:80"', '203.0.113.9'],
    [' 203.0.113.9\t', '203.0.113.9'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['"[2001:db8::1]:_x.y-z"', '2001:db8::1'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['[::ffff:203.0.113.9]:80', '203.0.113.9'],
    // Without brackets this is an address whose last group is 443.
    ['2001:db8::1:443', '2001:db8::1:443'],
  ])('%s is %s', (node, address) => expect(parseNode(node)?.toString()).toBe(address));

  it.each([
    'unknown',
    'Unknown',
    '_hidden',
    '_SEVKISEK',
    'unknown:80',
    '_hidden:_port',
    '',
    '-',
    'localhost',
    '203.0.113.9:',
    '203.0.113.9:x',
    '203.0.113.9:123456',
    '203.0.113.9:-1',
    '203.0.113.9:80:80',
    '203.0.113:80',
    '[203.0.113.9]',
    '[203.0.113.9]:80',
    '[2001:db8::1',
    '2001:db8::1]',
    '[2001:db8::1]443',
    '[]',
    '[]:80',
    'fe80::1%eth0',
    '[fe80::1%eth0]',
    '[fe80::1%25eth0]:80',
    '0x7f.1',
    '127.1',
    '0177.0.0.1',
    '2130706433:80',
    '"203.0.113.9',
    '203.0.113.9"',
    '"""',
    'for=203.0.113.9',
    '203.0.113.9/32',
    '203.0.113.9;',
    "' or 1=1 --",
    '[[2001:db8::1]]',
    `[${':'.repeat(9000)}`,
    '1'.repeat(9000),
    `${'1.'.repeat(9000)}:`,
    '١.١.١.١',
  ])('%j is not an address', (node) => expect(parseNode(node)).toBeUndefined());
});

describe('a client', () => {
  it.each([
    ['198.51.100.1', undefined, '198.51.100.1'],
    ['::ffff:198.51.100.1', undefined, '198.51.100.1'],
    ['fe80::1%eth0', undefined, 'fe80::1'],
    // From a peer that is not one of our proxies, the header is ignored.
    ['198.51.100.1', '203.0.113.9', '198.51.100.1'],
    ['127.0.0.2', '203.0.113.9', '127.0.0.2'],
    ['127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['::ffff:127.0.0.1', '203.0.113.9:5678', '203.0.113.9'],
    ['2001:db8:aaaa::7', '[2001:db8::1]:443', '2001:db8::1'],
    // The last address before our proxies counts; what the client wrote before it does not.
    ['127.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['127.0.0.1', '1.1.1.1, 203.0.113.9:80, 10.0.0.2, ::ffff:10.0.0.3', '203.0.113.9'],
    ['127.0.0.1', 'unknown, _hidden, 203.0.113.9', '203.0.113.9'],
    ['127.0.0.1', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['127.0.0.1', ',, 203.0.113.9 ,,', '203.0.113.9'],
    // Anything that is not an address falls back to the socket.
    ['127.0.0.1', 'unknown', '127.0.0.1'],
    ['127.0.0.1', '203.0.113.9, unknown', '127.0.0.1'],
    ['127.0.0.1', '203.0.113.9, _hidden, 10.0.0.2', '127.0.0.1'],
    ['127.0.0.1', 'fe80::1%eth0', '127.0.0.1'],
    ['127.0.0.1', '0x7f.1', '127.0.0.1'],
    ['127.0.0.1', '', '127.0.0.1'],
    ['127.0.0.1', ' , ,', '127.0.0.1'],
    ['127.0.0.1', `203.0.113.9${', 10.0.0.1'.repeat(16)}`, '127.0.0.1'],
    ['127.0.0.1', `203.0.113.9${', 10.0.0.1'.repeat(15)}`, '203.0.113.9'],
    [undefined, '203.0.113.9', '0.0.0.0'],
  ])('at %s with the header %j is %s', (peer, forwarded, address) =>
    expect(clientOf(peer, forwarded)).toBe(address),
  );

  it('has the address of its socket without trusted proxies', () => {
    expect(clientOf('127.0.0.1', '203.0.113.9', new ClientAddresses([]))).toBe('127.0.0.1');
  });

  it('keeps its address when its socket has closed', () => {
    const socket: { remoteAddress: string | undefined } = { remoteAddress: '198.51.100.1' };
    trusted.remember(socket as Socket);
    socket.remoteAddress = undefined;
    expect(trusted.of({ socket: socket as Socket, headers: {} })).toBe('198.51.100.1');
  });

  it('has a canonical address whatever the header says', () => {
    const node = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.ipV4(),
      fc.ipV6(),
      fc.ipV4Extended(),
      fc.tuple(fc.ipV6(), fc.nat(70_000)).map(([address, number]) => `[${address}]:${number}`),
      fc.constantFrom('unknown', '_x', '10.0.0.1', '::ffff:10.0.0.1', '"', '[', ']', '%', ''),
    );
    fc.assert(
      fc.property(fc.array(node, { maxLength: 20 }), (nodes) => {
        const address = clientOf('127.0.0.1', nodes.join(','));
        expect(canonicalAddress(address)).toBe(address);
      }),
      { numRuns: 2000 },
    );
  });
});
