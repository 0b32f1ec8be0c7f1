import { Refusal } from '#domain/refusal.ts';
import { type Block, blockText, parseBlock } from './addresses.ts';

/** Blocks of a family that together are this broad are not accepted without confirmation. */
const openPrefixLength = { ipv4: 7, ipv6: 15 } as const;

/**
 * Returns the widest blocks of a whitelist if those of one family together allow a large part of the internet: as many
 * addresses as an IPv4 /7 or an IPv6 /15. A single /8 or /16 passes, which no merchant's own network exceeds.
 */
export function openBlocks(texts: readonly string[]): string[] {
  const blocks = texts.flatMap((text) => parseBlock(text) ?? []);
  return [...openOnes(blocks, 'ipv4'), ...openOnes(blocks, 'ipv6')].map(blockText);
}

/** Returns the fewest blocks of a family that reach the limit together; none if even all of them do not. */
function openOnes(blocks: readonly Block[], family: keyof typeof openPrefixLength): Block[] {
  const widest = blocks
    .filter(({ network }) => network.kind() === family)
    .toSorted((one, other) => one.prefixLength - other.prefixLength);
  let share = 0;
  for (const [index, { prefixLength }] of widest.entries()) {
    share += 2 ** (openPrefixLength[family] - prefixLength);
    if (share >= 1) return widest.slice(0, index + 1);
  }
  return [];
}

/** Blocks that a refusal names at most. */
const maxNamed = 3;

/** Throws `whitelist_open`, naming the widest blocks, if a whitelist needs a confirmation. */
export function refuseOpen(blocks: readonly string[]): void {
  const open = openBlocks(blocks);
  if (open.length === 0) return;
  const named = open.slice(0, maxNamed).join(', ');
  throw new Refusal('whitelist_open', { values: { blocks: open.length > maxNamed ? `${named} …` : named } });
}
