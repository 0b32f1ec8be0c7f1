import { blockText, parseBlock } from '#security/addresses.ts';

/** A line that is neither an address nor a block; `line` counts from 1. */
export interface WrongLine {
  line: number;
  text: string;
}

/** Parses a text with one block per line. Returns the distinct blocks and the lines that are none. */
export function parseBlocks(text: string): { blocks: string[]; wrong: WrongLine[] } {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const read = lines.map((line, index) => ({ line: index + 1, text: line, block: parseBlock(line) }));
  const wrong = read.filter(({ text: given, block }) => given !== '' && block === undefined);
  const blocks = read.flatMap(({ block }) => (block ? [blockText(block)] : []));
  return {
    blocks: [...new Set(blocks)],
    wrong: wrong.map(({ line, text: given }) => ({ line, text: given })),
  };
}
