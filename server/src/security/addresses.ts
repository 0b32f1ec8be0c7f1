import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IP address. IPv4-mapped IPv6 addresses (`::ffff:192.0.2.1`) are unmapped to IPv4. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A CIDR block: its first address, and the number of leading bits that all its addresses share. */
export interface Block {
  network: Address;
  prefixLength: number;
}

const prefixLengthPattern = /^(0|[1-9]\d{0,2})$/;
const dottedTail = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/;
/** Prefix length of `::ffff:0:0/96`, the block of all IPv4-mapped addresses. */
const mappedPrefixLength = 96;

/**
 * Parses an address in standard notation: four decimal octets for IPv4, RFC 4291 for IPv6. Returns undefined for
 * everything else, including what `inet_aton` accepts (octal, hexadecimal, short forms, leading zeros), and for
 * surrounding white space, zone ids and ports.
 */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  const address = parseIpv6(text);
  return address?.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Formats an address canonically (RFC 5952 for IPv6). Returns undefined for text that is not an address. */
export function canonicalAddress(text: string): string | undefined {
  return parseAddress(text)?.toString();
}

/**
 * Parses a CIDR block, or a single address as a block of one. Clears the host bits. A block of IPv4-mapped addresses
 * becomes the IPv4 block. Returns undefined for anything else, including a mapped address with a prefix shorter than
 * /96: `::ffff:10.0.0.0/8` looks like `10.0.0.0/8` but means `::/8`.
 */
export function parseBlock(text: string): Block | undefined {
  const [addressText = '', prefixText, ...rest] = text.split('/');
  const address = parseAddress(addressText);
  if (!address || rest.length > 0) return undefined;
  if (prefixText === undefined) return { network: address, prefixLength: widthOf(address) };
  if (!prefixLengthPattern.test(prefixText)) return undefined;
  const isMapped = address.kind() === 'ipv4' && addressText.includes(':');
  const prefixLength = Number(prefixText) - (isMapped ? mappedPrefixLength : 0);
  if (prefixLength < 0 || prefixLength > widthOf(address)) return undefined;
  return { network: networkOf(address, prefixLength), prefixLength };
}

/** Formats a block as PostgreSQL's `cidr` type does. */
export function blockText({ network, prefixLength }: Block): string {
  return `${network.toString()}/${prefixLength}`;
}

/** Formats a block for people: a single address is shown without its prefix length. */
export function formatBlock(block: string): string {
  const [address = '', bits] = block.split('/');
  return bits === (address.includes(':') ? '128' : '32') ? address : block;
}

/** Whether a block contains an address. An IPv6 block never contains an IPv4 address, nor the reverse. */
export function isInBlock(address: Address, { network, prefixLength }: Block): boolean {
  return address.kind() === network.kind() && address.match(network, prefixLength);
}

/** Whether any of the blocks contains an address. */
export function isInBlocks(address: Address, blocks: readonly Block[]): boolean {
  return blocks.some((block) => isInBlock(address, block));
}

/** Number of bits in an address of the same family. */
export function widthOf(address: Address): number {
  return address.kind() === 'ipv4' ? 32 : 128;
}

function parseIpv6(text: string): ipaddr.IPv6 | undefined {
  if (text.includes('%') || !isIPv6(text)) return undefined;
  // ipaddr.js mistakes `::192.0.2.1` for an IPv4-mapped address. Hexadecimal groups are unambiguous.
  return ipaddr.IPv6.parse(
    text.replace(dottedTail, (_, ...octets) => {
      const [first = 0, second = 0, third = 0, fourth = 0] = octets.slice(0, 4).map(Number);
      return `${(first * 256 + second).toString(16)}:${(third * 256 + fourth).toString(16)}`;
    }),
  );
}

/** Clears all but the first `prefixLength` bits. */
export function networkOf(address: Address, prefixLength: number): Address {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, prefixLength - index * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return ipaddr.fromByteArray(bytes);
}
