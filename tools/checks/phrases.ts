import { join } from 'node:path';
import { isTest, isTypeScript, listFiles, readSource, root } from '../sources.ts';
import type { Check } from './check.ts';
import { type PhraseName, phraseNames } from './phrase-names.ts';

/** A tree of phrases, as a language's module exports it. */
export interface PhraseTree {
  readonly [name: string]: string | PhraseTree;
}

/** The file of each language; the first is the measure for the others. */
const languages = ['en', 'zh-cn', 'vi'];

/** The same phrases with the same placeholders in every language, and none that nobody says. */
export const phrases: Check = {
  name: 'phrases',
  run: async () => {
    const texts = await loadPhrases();
    const english = texts.get('en') ?? new Map();
    const sources = listFiles().filter(
      (path) => /^(contract|server|console)\//.test(path) && isTypeScript(path) && !isTest(path),
    );
    const names = sources.flatMap((path) => phraseNames(path, readSource(path)));
    const glued = sources.flatMap((path) =>
      gluedPunctuation(readSource(path)).map((found) => `${path}: ${found}`),
    );
    const unsaid = unusedKeys([...english.keys()], names);
    return {
      problems: [
        ...differences(texts),
        ...unsaid.map((key) => `${key}: nothing says this phrase`),
        ...glued.map((found) => `${found}: punctuation belongs in the phrase (ui.labelled, ui.listComma)`),
      ],
      note: `${english.size} phrases`,
    };
  },
};

/** Every language's phrases, by key. */
export async function loadPhrases(): Promise<Map<string, Map<string, string>>> {
  const trees = await Promise.all(languages.map(loadLanguage));
  return new Map(languages.map((language, index) => [language, flatten(trees[index] ?? {})]));
}

async function loadLanguage(language: string): Promise<PhraseTree> {
  const [tree] = Object.values(await import(join(root, `phrases/src/${language}.ts`)));
  return tree as PhraseTree;
}

/** Dotted key → text. */
export function flatten(tree: PhraseTree, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[prefix + name, value]] : [...flatten(value, `${prefix + name}.`)],
    ),
  );
}

/** Where languages differ in their keys or placeholders, and empty texts. The first language is the measure. */
export function differences(texts: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const [measure = new Map<string, string>(), ...others] = [...texts.values()];
  const names = [...texts.keys()].slice(1);
  const empty = [...texts].flatMap(([language, phrasesOf]) =>
    [...phrasesOf].filter(([, text]) => text.trim() === '').map(([key]) => `${language} ${key}: empty`),
  );
  const different = others.flatMap((other, index) => {
    const keys = new Set([...measure.keys(), ...other.keys()]);
    return [...keys].flatMap((key) => {
      const problem = differenceOf(key, measure.get(key), other.get(key));
      return problem ? [`${names[index]} ${key}: ${problem}`] : [];
    });
  });
  return [...empty, ...different];
}

function differenceOf(
  key: string,
  measure: string | undefined,
  text: string | undefined,
): string | undefined {
  if (text === undefined) return 'missing';
  if (measure === undefined) return 'not in English';
  // “One order” says its count in words.
  const isCounted = (name: string) => !(key.endsWith('_one') && name === 'count');
  const [wanted, found] = [measure, text].map((each) => placeholdersOf(each).filter(isCounted).join(', '));
  return wanted === found ? undefined : `placeholders (${found}), in English (${wanted})`;
}

/** Names in `{{name}}`, `{{- name}}` and `{{name, format}}`, sorted, without repeats. */
function placeholdersOf(text: string): string[] {
  const names = [...text.matchAll(/\{\{-?\s*(\w+)[^}]*\}\}/g)].map(([, name]) => name ?? '');
  return [...new Set(names)].sort();
}

/**
 * Phrases that nothing names: not by the key (`funds.title`; plurals without `_one`), not by a template around it
 * (`collections.status.${status}`), not by the group it is in (`collections.status`, handed to a component that adds
 * the rest).
 */
export function unusedKeys(keys: readonly string[], names: readonly PhraseName[]): string[] {
  const whole = new Set(names.flatMap((name) => ('key' in name ? [name.key] : [])));
  // A template counts from its first dot on: `${x}` alone would name everything.
  const parts = names.filter((name) => 'start' in name).filter(({ start }) => start.includes('.'));
  return keys.filter((key) => {
    const name = key.replace(/_(zero|one|two|few|many|other)$/, '');
    if (whole.has(name) || parts.some(({ start, end }) => name.startsWith(start) && name.endsWith(end)))
      return false;
    const steps = name.split('.');
    return !steps.some((_, index) => index >= 2 && whole.has(steps.slice(0, index).join('.')));
  });
}

/** Where a colon or comma is put behind a translated text in code: Chinese writes both in another width. */
export function gluedPunctuation(source: string): string[] {
  return Array.from(source.matchAll(/\bt\((?:[^()]|\([^()]*\))*\)\}[:,] /g), ([found]) => found);
}
