import { type Language, languages } from '@hengfu/contract/languages';
import { en } from '@hengfu/phrases/en';
import { formatter } from '@hengfu/phrases/formatter';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { vi } from '@hengfu/phrases/vi';
import { zhCn } from '@hengfu/phrases/zh-cn';
import i18next from 'i18next';
import type { PhraseValues } from './refusal.ts';

const catalog = i18next.createInstance();
await catalog.use(formatter).init({
  lng: 'en',
  fallbackLng: 'en',
  lowerCaseLng: true,
  resources: { en: { translation: en }, 'zh-cn': { translation: zhCn }, vi: { translation: vi } },
  interpolation: { escapeValue: false, alwaysFormat: true },
});

/** Returns the sentence of a phrase in a language, with its placeholders filled. */
export function translate(language: Language, key: PhraseKey, values: PhraseValues = {}): string {
  return catalog.t(key, { ...values, lng: language });
}

/** Returns the phrases directly below a prefix, by the rest of their keys. */
export function phrasesUnder(language: Language, prefix: string): Record<string, string> {
  const found: unknown = catalog.t(prefix, { lng: language, returnObjects: true });
  const entries = typeof found === 'object' && found !== null ? Object.entries(found) : [];
  return Object.fromEntries(entries.filter(([, text]) => typeof text === 'string'));
}

/** Whether a text names a phrase: schemas carry phrase keys as their messages. */
export function isPhrase(text: string): text is PhraseKey {
  return catalog.exists(text, { lng: 'en' });
}

/**
 * Chooses the language that `Accept-Language` prefers (RFC 9110, 12.5.4). English if the header is absent or
 * names none of ours: systems that send no header read the contract's English texts.
 */
export function languageOf(header: string | undefined): Language {
  const wanted = (header ?? '')
    .slice(0, 200)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const weight = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find(Boolean);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  for (const { tag } of wanted) {
    const found = languages.find(
      (language) => tag === language || tag.split('-')[0] === language.split('-')[0],
    );
    if (found) return found;
  }
  return 'en';
}
