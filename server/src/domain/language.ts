import { type Language, languages } from '@hengfu/contract/session';
import { en } from '@hengfu/phrases/en';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { vi } from '@hengfu/phrases/vi';
import { zhCn } from '@hengfu/phrases/zh-cn';
import i18next from 'i18next';
import type { PhraseValues } from './refusal.ts';

const catalogue = i18next.createInstance();
await catalogue.init({
  lng: 'en',
  fallbackLng: 'en',
  lowerCaseLng: true,
  resources: { en: { translation: en }, 'zh-cn': { translation: zhCn }, vi: { translation: vi } },
  interpolation: { escapeValue: false },
});

/** The sentence for a phrase in a language, its placeholders filled. */
export function translate(language: Language, key: PhraseKey, values: PhraseValues = {}): string {
  return catalogue.t(key, { ...values, lng: language });
}

/** The phrases whose keys begin with a prefix and a dot, by what follows it; none deeper. */
export function phrasesUnder(language: Language, prefix: string): Record<string, string> {
  const found: unknown = catalogue.t(prefix, { lng: language, returnObjects: true });
  const entries = typeof found === 'object' && found !== null ? Object.entries(found) : [];
  return Object.fromEntries(entries.filter(([, text]) => typeof text === 'string'));
}

/** Whether a text names a phrase: schemas carry phrase keys as their messages. */
export function isPhrase(text: string): text is PhraseKey {
  return catalogue.exists(text, { lng: 'en' });
}

/**
 * The language that `Accept-Language` asks for (RFC 9110, 12.5.4), by weight. English where the header is absent or
 * asks for none of ours: programs that send no header read the contract's English texts.
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
