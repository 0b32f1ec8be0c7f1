import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { blockText, parseBlock } from './addresses.ts';

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

/**
 * Returns the distinct blocks of a field with one per line. Throws `validation_failed` on the field, naming each wrong line, or if there are more
 * lines than `most`.
 */
export function validBlocks(field: string, text: string, most: number): string[] {
  // Counted before parsing, which costs far more.
  const lineCount = text.split('\n').filter((line) => line.trim() !== '').length;
  if (lineCount > most) throw fieldRefusal(field, 'validation.ipTooMany', { count: most });
  const { blocks, wrong } = parseBlocks(text);
  if (wrong.length > 0) {
    const fields = wrong.map((values) => ({
      field,
      phrase: 'validation.ipLine' as const,
      values: { ...values },
    }));
    throw new Refusal('validation_failed', { fields });
  }
  return blocks;
}
