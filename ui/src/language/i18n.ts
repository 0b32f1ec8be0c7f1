import { type Language, localeOf } from '@hengfu/contract/languages';
import { formatter } from '@hengfu/phrases/formatter';
import type { PhraseKey, Phrases } from '@hengfu/phrases/phrases';
import i18next from 'i18next';
import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  use,
  useSyncExternalStore,
} from 'react';
import { writeCookie } from '../browser/cookies.ts';
import { readStored, writeStored } from '../browser/stored.ts';
import { type Template, templateOf } from './template.ts';

/** Values for a phrase's `{{placeholders}}`; `count` also chooses the plural form. */
export type PhraseValues = Readonly<Record<string, string | number>>;

/** Returns the phrase in the current language. An unknown key does not compile. */
export type Translate = (key: PhraseKey, values?: PhraseValues) => string;

const cookieAgeSeconds = 365 * 24 * 3600;

/** Each language is a separate chunk, loaded on demand. */
const loaders: Record<Language, () => Promise<Phrases>> = {
  'zh-cn': async () => (await import('@hengfu/phrases/zh-cn')).zhCn,
  en: async () => (await import('@hengfu/phrases/en')).en,
  vi: async () => (await import('@hengfu/phrases/vi')).vi,
};

/**
 * Every language, the default first. Not the contract's list, which would pull schemas into the sign-in page.
 */
export const languages = Object.keys(loaders) as Language[];
const defaultLanguage: Language = 'zh-cn';
/** Supplies a phrase that the current language lacks (spec, point 9). */
const fallbackLanguage: Language = 'en';

/**
 * The language stored in this browser; Chinese if the stored one is unknown. If none is stored, the one proposed by
 * the server, else Chinese.
 */
export function chosenLanguage(proposed: Language = defaultLanguage): Language {
  const stored = readStored('language');
  if (stored === undefined) return proposed;
  return languages.find((language) => language === stored) ?? defaultLanguage;
}

/** Loads the phrases of a language; called once before the first render. */
export async function startI18n(language: Language): Promise<void> {
  const phrases = await loaders[language]();
  await i18next.use(formatter).init({
    lng: language,
    fallbackLng: fallbackLanguage,
    // The languages have the same keys, so English is fetched only once a key is missing after all.
    saveMissing: true,
    missingKeyHandler: () => void loadFallback(),
    // Otherwise i18next would treat "zh-cn" as a region of "zh" and look for both.
    load: 'currentOnly',
    lowerCaseLng: true,
    resources: { [language]: { translation: phrases } },
    // React escapes already.
    interpolation: { escapeValue: false, alwaysFormat: true },
  });
  showLanguage(language);
}

/** Switches the language: loads the phrases, stores the choice, and sets the cookie that the server reads. */
export async function setLanguage(language: Language): Promise<void> {
  await loadPhrases(language);
  writeStored('language', language);
  await i18next.changeLanguage(language);
  showLanguage(language);
}

/** Switches to the language of the user's profile, unless one was chosen in this browser. */
export async function followProfile(language: Language | null): Promise<void> {
  if (language === null || readStored('language') !== undefined || language === currentLanguage()) return;
  await loadPhrases(language);
  await i18next.changeLanguage(language);
  showLanguage(language);
}

/** Returns a translator for a language other than the current one; loads its phrases. */
export async function translatorOf(language: Language): Promise<Translate> {
  await loadPhrases(language);
  return translatorFor(language);
}

const translators = new Map<Language, Translate>();

/** Returns the translator of a language. It remembers phrases: a table asks for the same ones in every row. */
function translatorFor(language: Language): Translate {
  const known = translators.get(language);
  if (known) return known;
  const t = i18next.getFixedT(language);
  const plain = new Map<PhraseKey, string>();
  const templates = new Map<PhraseKey, Template | undefined>();
  const translator: Translate = (key, values) => {
    if (values) {
      if (!templates.has(key)) templates.set(key, templateOf(phraseOf(language, key)));
      return templates.get(key)?.(values, language) ?? t(key, { ...values });
    }
    const text = plain.get(key) ?? plainPhrase(language, key) ?? t(key);
    // A missing phrase is its key, until the fallback has been loaded.
    if (text !== key) plain.set(key, text);
    return text;
  };
  translators.set(language, translator);
  return translator;
}

/** Returns a phrase as it is written; undefined if i18next must find it or fill it in. Looking it up takes a tenth of the time. */
function plainPhrase(language: Language, key: PhraseKey): string | undefined {
  const phrase = phraseOf(language, key);
  return phrase !== undefined && !/\{\{|\$t\(/.test(phrase) ? phrase : undefined;
}

function phraseOf(language: Language, key: PhraseKey): string | undefined {
  const phrase: unknown = i18next.getResource(language, 'translation', key);
  return typeof phrase === 'string' ? phrase : undefined;
}

/** Loads English for later renderings. If that fails, the next missing key tries again. */
async function loadFallback(): Promise<void> {
  await loadPhrases(fallbackLanguage).catch(() => undefined);
}

async function loadPhrases(language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, 'translation')) return;
  i18next.addResourceBundle(language, 'translation', await loaders[language]());
}

/** The current language, for code outside of React. */
export function currentLanguage(): Language {
  return languages.find((language) => language === i18next.language) ?? defaultLanguage;
}

/** Returns the phrase in the current language, for code outside of React. */
export const translate: Translate = (key, values) => i18next.t(key, { ...values });

/**
 * Translates a schema issue, whose message is a phrase key. Any other text is the schema library's own and means
 * nothing to a user.
 */
export function translateIssue(message: string): string {
  return translate(i18next.exists(message) ? (message as PhraseKey) : 'validation.invalid');
}

const LanguageContext = createContext<Language | undefined>(undefined);

/** Provides the current language. A table has hundreds of components that need it; each would have to subscribe. */
export function LanguageProvider({ children }: { children: ReactNode }): ReactElement {
  const language = useSyncExternalStore(subscribe, currentLanguage);
  return createElement(LanguageContext, { value: language }, children);
}

/** The current language; the component renders again when it changes. */
export function useLanguage(): Language {
  const language = use(LanguageContext);
  if (!language) throw new Error('there is no LanguageProvider around this component');
  return language;
}

/** Returns `t(key, values)`; another function for each language, so that memoized children render again. */
export function useT(): Translate {
  return translatorFor(useLanguage());
}

function subscribe(listener: () => void): () => void {
  i18next.on('languageChanged', listener);
  return () => i18next.off('languageChanged', listener);
}

function showLanguage(language: Language): void {
  document.documentElement.lang = localeOf[language];
  // Tells the server which phrases to preload. Without a choice, the server goes by the user's profile.
  if (readStored('language') !== undefined) writeCookie('language', language, cookieAgeSeconds);
}
