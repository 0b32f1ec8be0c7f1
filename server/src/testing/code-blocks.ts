import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** A fenced block of a document. */
export interface CodeBlock {
  /** Empty if the fence names none. */
  language: string;
  code: string;
  /** The text before it, up to the block before. */
  before: string;
}

/** Finds all fenced blocks of a text, also those whose fence names no language. */
export function blocksOf(text: string): CodeBlock[] {
  let end = 0;
  return [...text.matchAll(/^ *```(\w*)[^\n]*\n([\s\S]*?)\n *```$/gm)].map((match) => {
    const [whole, language = '', code = ''] = match;
    const before = text.slice(end, match.index);
    end = match.index + whole.length;
    return { language, code, before };
  });
}

/**
 * A document whose blocks are all run, or compared with what the service sends. Each test takes its blocks while the tests are collected; what nobody
 * has taken is a block that no test knows.
 */
export class CheckedDocument {
  readonly text: string;
  readonly #left: Set<CodeBlock>;

  /** Reads a document by its path in the repository. */
  constructor(path: string) {
    this.text = readFileSync(join(root, path), 'utf8');
    this.#left = new Set(blocksOf(this.text));
  }

  /** Takes the blocks of a language that match a pattern. */
  takeAll(language: string, holds: RegExp = /^/): CodeBlock[] {
    const found = [...this.#left].filter((block) => block.language === language && holds.test(block.code));
    for (const block of found) this.#left.delete(block);
    return found;
  }

  /** Takes the one block of a language that matches a pattern, and returns its code. Throws an error if there is another number of them. */
  take(language: string, holds: RegExp = /^/): string {
    const [block, ...others] = this.takeAll(language, holds);
    if (!block || others.length > 0) throw new Error(`not one ${language} block with ${holds}`);
    return block.code;
  }

  /** The blocks that no test has taken. */
  get left(): string[] {
    return [...this.#left].map(({ language, code }) => `${language}: ${code.split('\n')[0]}`);
  }
}
