import type { Currency } from '@hengfu/contract/money';
import type { Language } from '@hengfu/contract/session';
import type { Phrases } from '@hengfu/phrases/phrases';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { languageNames, localeOf } from '../../platform/languages.ts';
import { readStored, writeStored } from '../../platform/stored.ts';

/** The phrases that the cashier loads. */
export type CashierPhrases = Pick<Phrases, 'cashier' | 'channels' | 'errors'>;

const loaders: Record<Language, () => Promise<CashierPhrases>> = {
  'zh-cn': () => import('./phrases/zh-cn.ts'),
  en: () => import('./phrases/en.ts'),
  vi: () => import('./phrases/vi.ts'),
};

const storedName = 'language';

/** One of our languages for a tag as browsers write it: "zh-Hant-TW" → "zh-cn". */
export function languageFor(tag: string | null | undefined): Language | undefined {
  const wanted = tag?.toLowerCase().split('-')[0];
  const known = Object.keys(languageNames) as Language[];
  return known.find((language) => wanted !== undefined && language.split('-')[0] === wanted);
}

/**
 * The payer's language: what the link asks for, what this tab had before it went to the bank, what was chosen in this
 * browser, what the browser prefers, what the server proposes.
 */
export function firstLanguage(proposed: Language): Language {
  const asked = languageFor(new URLSearchParams(location.search).get('lang'));
  if (asked) rememberForTab(asked);
  return (
    asked ??
    languageFor(readForTab()) ??
    languageFor(readStored(storedName)) ??
    navigator.languages.map(languageFor).find((language) => language !== undefined) ??
    proposed
  );
}

/** Loads the phrases of a language. */
export function loadPhrases(language: Language): Promise<CashierPhrases> {
  return loaders[language]();
}

/** Puts values in the place of a phrase's `{{names}}`. */
export function fill(phrase: string, values: Readonly<Record<string, string>>): string {
  return phrase.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}

/** What a component needs to speak to the payer. */
interface Speech {
  language: Language;
  phrases: CashierPhrases;
  /** Loads the other phrases, then switches and remembers the choice. */
  choose: (language: Language) => void;
}

const SpeechContext = createContext<Speech | null>(null);

/** The language on screen, its phrases, and the switch. */
export function useSpeech(): Speech {
  const speech = useContext(SpeechContext);
  if (!speech) throw new Error('useSpeech needs a SpeechProvider');
  return speech;
}

/** Gives the page its first language, already loaded. */
export function SpeechProvider(props: { first: Omit<Speech, 'choose'>; children: ReactNode }) {
  const [spoken, setSpoken] = useState(props.first);
  useEffect(() => {
    document.documentElement.lang = localeOf[spoken.language];
  }, [spoken.language]);
  const speech = useMemo<Speech>(
    () => ({
      ...spoken,
      choose: (language) => {
        remember(language);
        // Without a network the page keeps the language that it has.
        loadPhrases(language).then(
          (phrases) => setSpoken({ language, phrases }),
          () => undefined,
        );
      },
    }),
    [spoken],
  );
  return <SpeechContext value={speech}>{props.children}</SpeechContext>;
}

function remember(language: Language): void {
  writeStored(storedName, language);
  rememberForTab(language);
  const url = new URL(location.href);
  if (!url.searchParams.has('lang')) return;
  // A reload must not go back to what the link asked for.
  url.searchParams.set('lang', language);
  history.replaceState(null, '', url);
}

function rememberForTab(language: Language): void {
  try {
    sessionStorage.setItem(storedName, language);
  } catch {
    // Storage is closed: the address keeps the language for as long as the page stays.
  }
}

function readForTab(): string | null {
  try {
    return sessionStorage.getItem(storedName);
  } catch {
    return null;
  }
}

/**
 * An amount as the reader of a language writes it: "1234.50" CNY → "¥1,234.50". `Intl` takes the decimal text exactly
 * and knows each currency's decimals; USDT is no ISO currency, so its name follows the figure. platform/format.ts does
 * the same for the console but brings the contract's validator along, which a payer's phone can do without.
 */
export function payableAmount(amount: string, currency: Currency, language: Language): string {
  if (!isDecimal(amount)) return `${amount} ${currency}`;
  const locale = localeOf[language];
  if (currency === 'USDT') {
    const figure = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 6 });
    return `${figure.format(amount)}\u00a0USDT`;
  }
  const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  return new Intl.NumberFormat(locale, options).format(amount);
}

function isDecimal(text: string): text is `${number}` {
  return /^\d+(\.\d+)?$/.test(text);
}
