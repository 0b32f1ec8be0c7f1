import type { Language } from '@hengfu/contract/session';
import type { PhraseKey, Phrases } from '@hengfu/phrases/phrases';
import i18next from 'i18next';
import { useMemo, useSyncExternalStore } from 'react';
import { writeCookie } from './cookies.ts';
import { localeOf } from './languages.ts';
import { readStored, writeStored } from './stored.ts';

/** Values for a phrase's `{{placeholders}}`; `count` also chooses the plural form. */
export type PhraseValues = Readonly<Record<string, string | number>>;

/** The phrase in the reader's language. A key that does not exist does not compile. */
export type Translate = (key: PhraseKey, values?: PhraseValues) => string;

const cookieAgeSeconds = 365 * 24 * 3600;

/** One language is loaded at a time; each is a chunk of its own. */
const loaders: Record<Language, () => Promise<Phrases>> = {
  'zh-cn': async () => (await import('@hengfu/phrases/zh-cn')).zhCn,
  en: async () => (await import('@hengfu/phrases/en')).en,
  vi: async () => (await import('@hengfu/phrases/vi')).vi,
};

/** Every language, the default first. The contract's own list would bring its schemas into the sign-in page. */
export const languages = Object.keys(loaders) as Language[];
const defaultLanguage: Language = 'zh-cn';

/** The language that this browser chose, else what the server proposes, else Chinese. */
export function chosenLanguage(proposed?: Language): Language {
  const stored = readStored('language');
  return languages.find((language) => language === stored) ?? proposed ?? defaultLanguage;
}

/** Loads the phrases of a language; called once before the first render. */
export async function startI18n(language: Language): Promise<void> {
  const phrases = await loaders[language]();
  await i18next.init({
    lng: language,
    fallbackLng: false,
    // i18next would read "zh-cn" as a region of "zh" and look for both.
    load: 'currentOnly',
    lowerCaseLng: true,
    resources: { [language]: { translation: phrases } },
    // React escapes what it renders.
    interpolation: { escapeValue: false },
  });
  showLanguage(language);
}

/** Switches the interface: loads the phrases, remembers the choice, and tells the server by a cookie. */
export async function setLanguage(language: Language): Promise<void> {
  await loadPhrases(language);
  writeStored('language', language);
  await i18next.changeLanguage(language);
  showLanguage(language);
}

/** Shows the language of a user's profile in a browser where none was chosen. */
export async function followProfile(language: Language | null): Promise<void> {
  if (language === null || readStored('language') !== undefined || language === currentLanguage()) return;
  await loadPhrases(language);
  await i18next.changeLanguage(language);
  showLanguage(language);
}

/** The phrases of a language beside the one on screen. */
export async function translatorOf(language: Language): Promise<Translate> {
  await loadPhrases(language);
  return fixed(language);
}

function fixed(language: Language): Translate {
  const t = i18next.getFixedT(language);
  return (key, values) => t(key, { ...values });
}

async function loadPhrases(language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, 'translation')) return;
  i18next.addResourceBundle(language, 'translation', await loaders[language]());
}

/** The language on screen, outside of React. */
export function currentLanguage(): Language {
  return languages.find((language) => language === i18next.language) ?? defaultLanguage;
}

/** The phrase in the present language, outside of React. */
export const translate: Translate = (key, values) => i18next.t(key, { ...values });

/** A failed rule's text: schemas carry phrase keys, anything else (a server's sentence) stays as it is. */
export function translateIssue(message: string): string {
  return i18next.exists(message) ? i18next.t(message) : message;
}

/** The language on screen; the component renders again when it changes. */
export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, currentLanguage);
}

/** `t(key, values)`; a new function per language, so that memoised children follow. */
export function useT(): Translate {
  const language = useLanguage();
  return useMemo(() => fixed(language), [language]);
}

function subscribe(listener: () => void): () => void {
  i18next.on('languageChanged', listener);
  return () => i18next.off('languageChanged', listener);
}

function showLanguage(language: Language): void {
  document.documentElement.lang = localeOf[language];
  // The server preloads the chosen language's phrases; while none is chosen, it goes by the user's profile.
  if (readStored('language') !== undefined) writeCookie('language', language, cookieAgeSeconds);
}
