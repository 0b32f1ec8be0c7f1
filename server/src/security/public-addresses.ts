import { type Address, type Block, isInBlock, isInBlocks, parseAddress, parseBlock } from './addresses.ts';

/** A block that holds no merchant's server, and the document that reserves it. */
interface SpecialBlock {
  block: string;
  purpose: string;
  source: string;
}

/**
 * Blocks that the product never calls on a merchant's behalf. Every block of IANA's special-purpose registries is
 * refused, even a globally reachable one: those hold relays and DNS sinks, never a merchant's server.
 *
 * - https://www.iana.org/assignments/iana-ipv4-special-registry
 * - https://www.iana.org/assignments/iana-ipv6-special-registry
 * - https://www.iana.org/assignments/multicast-addresses
 * - https://www.iana.org/assignments/ipv6-address-space
 *
 * IPv4-mapped IPv6 addresses are missing because they are judged as the IPv4 addresses they contain.
 */
export const specialBlocks: readonly SpecialBlock[] = [
  { block: '0.0.0.0/8', purpose: 'this network', source: 'RFC 791, 3.2' },
  { block: '10.0.0.0/8', purpose: 'private use', source: 'RFC 1918' },
  { block: '100.64.0.0/10', purpose: 'carrier-grade NAT; 100.100.100.200: metadata', source: 'RFC 6598' },
  { block: '127.0.0.0/8', purpose: 'loopback', source: 'RFC 1122, 3.2.1.3' },
  { block: '168.63.129.16/32', purpose: 'a host’s own services at Azure', source: 'Azure documentation' },
  { block: '169.254.0.0/16', purpose: 'link-local; 169.254.169.254: metadata', source: 'RFC 3927' },
  { block: '172.16.0.0/12', purpose: 'private use', source: 'RFC 1918' },
  { block: '192.0.0.0/24', purpose: 'IETF protocol assignments', source: 'RFC 6890, 2.1' },
  { block: '192.0.2.0/24', purpose: 'documentation (TEST-NET-1)', source: 'RFC 5737' },
  { block: '192.31.196.0/24', purpose: 'AS112', source: 'RFC 7535' },
  { block: '192.52.193.0/24', purpose: 'multicast relays (AMT)', source: 'RFC 7450' },
  { block: '192.88.99.0/24', purpose: '6to4 relays, deprecated', source: 'RFC 7526' },
  { block: '192.168.0.0/16', purpose: 'private use', source: 'RFC 1918' },
  { block: '192.175.48.0/24', purpose: 'AS112', source: 'RFC 7534' },
  { block: '198.18.0.0/15', purpose: 'benchmarking', source: 'RFC 2544' },
  { block: '198.51.100.0/24', purpose: 'documentation (TEST-NET-2)', source: 'RFC 5737' },
  { block: '203.0.113.0/24', purpose: 'documentation (TEST-NET-3)', source: 'RFC 5737' },
  { block: '224.0.0.0/4', purpose: 'multicast', source: 'RFC 5771' },
  { block: '240.0.0.0/4', purpose: 'reserved; 255.255.255.255: broadcast', source: 'RFC 1112, 4; RFC 8190' },
  { block: '::/96', purpose: 'unspecified, loopback, IPv4-compatible', source: 'RFC 4291, 2.5' },
  { block: '::ffff:0:0:0/96', purpose: 'IPv4-translated', source: 'RFC 2765, 2.1' },
  { block: '64:ff9b::/96', purpose: 'NAT64', source: 'RFC 6052' },
  { block: '64:ff9b:1::/48', purpose: 'NAT64 of a network’s own', source: 'RFC 8215' },
  { block: '100::/64', purpose: 'discard only', source: 'RFC 6666' },
  { block: '100:0:0:1::/64', purpose: 'dummy prefix', source: 'RFC 9780' },
  { block: '2001::/23', purpose: 'IETF assignments: Teredo, ORCHID, benchmarking', source: 'RFC 2928' },
  { block: '2001:db8::/32', purpose: 'documentation', source: 'RFC 3849' },
  { block: '2002::/16', purpose: '6to4', source: 'RFC 3056' },
  { block: '2620:4f:8000::/48', purpose: 'AS112', source: 'RFC 7534' },
  { block: '3ffe::/16', purpose: '6bone, returned', source: 'RFC 3701' },
  { block: '3fff::/20', purpose: 'documentation', source: 'RFC 9637' },
  { block: '5f00::/16', purpose: 'segment routing', source: 'RFC 9602' },
  { block: 'fc00::/7', purpose: 'unique local; fd00:ec2::254: metadata', source: 'RFC 4193' },
  { block: 'fe80::/10', purpose: 'link-local', source: 'RFC 4291, 2.5.6' },
  { block: 'fec0::/10', purpose: 'site-local, deprecated', source: 'RFC 3879' },
  { block: 'ff00::/8', purpose: 'multicast', source: 'RFC 4291, 2.7' },
];

/** IANA allocates global unicast addresses from this block alone; the rest of IPv6 is reserved. */
const globalUnicast = blockOf('2000::/3');
const refusedBlocks = specialBlocks.map(({ block }) => blockOf(block));

/** Whether a text is a public unicast address. False for text that is not an address at all. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && isAllocated(address) && !isInBlocks(address, refusedBlocks);
}

function isAllocated(address: Address): boolean {
  return address.kind() === 'ipv4' || isInBlock(address, globalUnicast);
}

function blockOf(text: string): Block {
  const block = parseBlock(text);
  if (!block) throw new Error(`${text} is not a block`);
  return block;
}
