import ipaddr from 'ipaddr.js';

/** A line that is no address and no block; `line` counts from 1. */
export interface WrongLine {
  line: number;
  text: string;
}

/** The blocks that a text names, one a line, without repeats; or the lines that name none. */
export function readBlocks(text: string): { blocks: string[]; wrong: WrongLine[] } {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const read = lines.map((line, index) => ({ line: index + 1, text: line, block: line && blockOf(line) }));
  const wrong = read.filter(({ text: given, block }) => given !== '' && block === undefined);
  const blocks = read.flatMap(({ block }) => (block ? [block] : []));
  return {
    blocks: [...new Set(blocks)],
    wrong: wrong.map(({ line, text: given }) => ({ line, text: given })),
  };
}

/** A block as the database writes it: its first address and its length. */
function blockOf(text: string): string | undefined {
  // The zone of a link ("fe80::1%eth0") is known on one machine alone, and nothing the database could keep.
  if (text.includes('%')) return undefined;
  if (ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)) {
    const address = ipaddr.process(text);
    return `${address.toString()}/${address.kind() === 'ipv4' ? 32 : 128}`;
  }
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text)) return networkOf(ipaddr.IPv4, text);
  return ipaddr.IPv6.isValidCIDR(text) ? networkOf(ipaddr.IPv6, text) : undefined;
}

function networkOf(kind: typeof ipaddr.IPv4 | typeof ipaddr.IPv6, text: string): string {
  return `${kind.networkAddressFromCIDR(text).toString()}/${Number(text.split('/')[1])}`;
}

/** A block as people write it: a single address without its length. */
export function shownBlock(block: string): string {
  const [address = '', bits] = block.split('/');
  return bits === (address.includes(':') ? '128' : '32') ? address : block;
}
