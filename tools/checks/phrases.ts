import { join } from 'node:path';
import { isTest, isTypeScript, listFiles, readSource, root } from '../sources.ts';
import type { Check } from './check.ts';
import { type PhraseName, phraseNames } from './phrase-names.ts';

/** A tree of phrases, as a language's module exports it. */
export interface PhraseTree {
  readonly [name: string]: string | PhraseTree;
}

/** The languages, by file name; the others are compared with the first. */
const languages = ['en', 'zh-cn', 'vi'];

/** Checks that all languages have the same phrases and placeholders, and that each phrase is used. */
export const phrases: Check = {
  name: 'phrases',
  run: async () => {
    const texts = await loadPhrases();
    const english = texts.get('en') ?? new Map();
    const sources = listFiles().filter(
      (path) =>
        /^(contract|server|ui|client|console|backoffice)\//.test(path) && isTypeScript(path) && !isTest(path),
    );
    const names = sources.flatMap((path) => phraseNames(path, readSource(path)));
    const glued = sources.flatMap((path) =>
      gluedPunctuation(readSource(path)).map((found) => `${path}: ${found}`),
    );
    const unused = unusedKeys([...english.keys()], names);
    return {
      problems: [
        ...differences(texts),
        ...unused.map((key) => `${key}: this phrase is not used`),
        ...glued.map((found) => `${found}: punctuation belongs in the phrase (ui.labelled, ui.listComma)`),
      ],
      note: `${english.size} phrases`,
    };
  },
};

/** Loads every language's phrases, by key. */
export async function loadPhrases(): Promise<Map<string, Map<string, string>>> {
  const trees = await Promise.all(languages.map(loadLanguage));
  return new Map(languages.map((language, index) => [language, flatten(trees[index] ?? {})]));
}

async function loadLanguage(language: string): Promise<PhraseTree> {
  const [tree] = Object.values(await import(join(root, `phrases/src/${language}.ts`)));
  return tree as PhraseTree;
}

/** Flattens a tree into texts by dotted key. */
export function flatten(tree: PhraseTree, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[prefix + name, value]] : [...flatten(value, `${prefix + name}.`)],
    ),
  );
}

/** Lists empty texts, and differences in keys or placeholders between the first language and the others. */
export function differences(texts: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const [reference = new Map<string, string>(), ...others] = [...texts.values()];
  const names = [...texts.keys()].slice(1);
  const empty = [...texts].flatMap(([language, phrasesOf]) =>
    [...phrasesOf].filter(([, text]) => text.trim() === '').map(([key]) => `${language} ${key}: empty`),
  );
  const different = others.flatMap((other, index) => {
    const keys = new Set([...reference.keys(), ...other.keys()]);
    return [...keys].flatMap((key) => {
      const problem = differenceOf(key, reference.get(key), other.get(key));
      return problem ? [`${names[index]} ${key}: ${problem}`] : [];
    });
  });
  return [...empty, ...different];
}

function differenceOf(
  key: string,
  reference: string | undefined,
  text: string | undefined,
): string | undefined {
  if (text === undefined) return 'missing';
  if (reference === undefined) return 'not in English';
  // “One order” spells out its count.
  const isCompared = (name: string) => !(key.endsWith('_one') && name === 'count');
  const [expected, found] = [reference, text].map((each) =>
    placeholdersOf(each).filter(isCompared).join(', '),
  );
  return expected === found ? undefined : `placeholders (${found}), in English (${expected})`;
}

/** Returns the names in `{{name}}`, `{{- name}}` and `{{name, format}}`, sorted, without duplicates. */
function placeholdersOf(text: string): string[] {
  const names = [...text.matchAll(/\{\{-?\s*(\w+)[^}]*\}\}/g)].map(([, name]) => name ?? '');
  return [...new Set(names)].sort();
}

/**
 * Finds phrases that nothing refers to: neither by key (`funds.title`; plurals without `_one`), nor by a
 * template (`collections.status.${status}`), nor by their group (`collections.status`, passed to a component
 * that adds the rest).
 */
export function unusedKeys(keys: readonly string[], names: readonly PhraseName[]): string[] {
  const keysInUse = new Set(names.flatMap((name) => ('key' in name ? [name.key] : [])));
  // A template counts only if its start has a dot: `${x}` alone would match everything.
  const templates = names.filter((name) => 'start' in name).filter(({ start }) => start.includes('.'));
  return keys.filter((key) => {
    const name = key.replace(/_(zero|one|two|few|many|other)$/, '');
    if (keysInUse.has(name)) return false;
    if (templates.some(({ start, end }) => name.startsWith(start) && name.endsWith(end))) return false;
    const steps = name.split('.');
    return !steps.some((_, index) => index >= 2 && keysInUse.has(steps.slice(0, index).join('.')));
  });
}

/** Finds colons and commas that code appends to a translated text: Chinese uses full-width punctuation. */
export function gluedPunctuation(source: string): string[] {
  return Array.from(source.matchAll(/\bt\((?:[^()]|\([^()]*\))*\)\}[:,] /g), ([found]) => found);
}
