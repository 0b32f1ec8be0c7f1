import { listFiles, readSource } from '../sources.ts';
import type { Check } from './check.ts';

/** Turns of phrase that no English-speaking engineer would write, with what to write instead. */
const patterns: readonly { readonly pattern: RegExp; readonly advice: string }[] = [
  {
    pattern:
      /(?:\/\*\*|^\s*\*|^\s*--|\/\/) ?(?:What|Who|Whom|Whose|Whoever|Whatever) (?!if\b|else\b)(?=[^?]*$)/,
    advice: 'begin with a verb or a noun, not with a relative clause',
  },
  { pattern: /\b(?:is|are|was|were|be|been) asked of\b/, advice: 'say who reports what' },
  { pattern: /\b(?:tells|telling|tell|told) of\b/, advice: 'say "reports", "shows" or "indicates"' },
  { pattern: /\bcomes? to (?:its|an|their) end\b/, advice: 'say "ends" or "finishes"' },
  { pattern: /\bin nobody's way\b|\bin nobody’s way\b/, advice: 'say what it does not block' },
  { pattern: /\b(?:is|are) let (?:in|go|out|through)\b/, advice: 'say "admitted", "released", "accepted"' },
  { pattern: /\bbegun anew\b|\bbegins? anew\b/, advice: 'say "starts over"' },
];

const isCode = /^(?!phrases\/|docs\/|tools\/checks\/plain-english).*\.(?:ts|tsx|mjs|sql|css)$/;
const comment = /\/\*|^\s*\*|\/\/|^\s*--/;

/** Checks that comments are plain English. Finds only the most telling patterns; CONTRIBUTING.md has the rules. */
export const plainEnglish: Check = {
  name: 'plain English',
  run: async () => {
    const problems = listFiles()
      .filter((file) => isCode.test(file))
      .flatMap((file) => oddPhrases(file, readSource(file)));
    return { problems };
  },
};

/** Finds comment lines that match a pattern. */
export function oddPhrases(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    if (!comment.test(line)) return [];
    return patterns
      .filter(({ pattern }) => pattern.test(line))
      .map(({ advice }) => `${file}:${index + 1}: “${line.trim().slice(0, 80)}”: ${advice}`);
  });
}
