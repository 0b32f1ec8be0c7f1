import { blockText, parseBlock } from '#security/addresses.ts';

/** A line that is no address and no block; `line` counts from 1. */
export interface WrongLine {
  line: number;
  text: string;
}

/** The blocks that a text names, one a line, without repeats; or the lines that name none. */
export function readBlocks(text: string): { blocks: string[]; wrong: WrongLine[] } {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const read = lines.map((line, index) => ({ line: index + 1, text: line, block: parseBlock(line) }));
  const wrong = read.filter(({ text: given, block }) => given !== '' && block === undefined);
  const blocks = read.flatMap(({ block }) => (block ? [blockText(block)] : []));
  return {
    blocks: [...new Set(blocks)],
    wrong: wrong.map(({ line, text: given }) => ({ line, text: given })),
  };
}

/** A block as people write it: a single address without its length. */
export function shownBlock(block: string): string {
  const [address = '', bits] = block.split('/');
  return bits === (address.includes(':') ? '128' : '32') ? address : block;
}
