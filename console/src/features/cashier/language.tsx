import { type Language, localeOf } from '@hengfu/contract/languages';
import type { Currency } from '@hengfu/contract/money';
import type { Phrases } from '@hengfu/phrases/phrases';
import { readStored, writeStored } from '@hengfu/ui/browser/stored.ts';
import { languageNames } from '@hengfu/ui/language/languages.ts';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';

/** The phrases that the cashier loads. */
export type CashierPhrases = Pick<Phrases, 'cashier' | 'channels' | 'receipts'>;

const loaders: Record<Language, () => Promise<CashierPhrases>> = {
  'zh-cn': () => import('./phrases/zh-cn.ts'),
  en: () => import('./phrases/en.ts'),
  vi: () => import('./phrases/vi.ts'),
};

const storedName = 'language';

/** Returns the supported language for a browser's language tag: "zh-Hant-TW" → "zh-cn". */
export function languageFor(tag: string | null | undefined): Language | undefined {
  const wanted = tag?.toLowerCase().split('-')[0];
  const known = Object.keys(languageNames) as Language[];
  return known.find((language) => wanted !== undefined && language.split('-')[0] === wanted);
}

/**
 * Chooses the payer's language. In order of precedence: the link's, the one this tab had before it went to
 * the bank, the one chosen in this browser, the browser's preference, the server's proposal.
 */
export function firstLanguage(proposed: Language): Language {
  const requested = languageFor(new URLSearchParams(location.search).get('lang'));
  if (requested) rememberForTab(requested);
  return (
    requested ??
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

/** Replaces a phrase's `{{names}}` with values. */
export function fill(phrase: string, values: Readonly<Record<string, string>>): string {
  return phrase.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}

/** The language on screen and its phrases. */
interface CashierI18n {
  language: Language;
  phrases: CashierPhrases;
  /** Remembers the choice, loads the phrases, then switches. */
  choose: (language: Language) => void;
}

const I18nContext = createContext<CashierI18n | null>(null);

/** Returns the language on screen, its phrases, and the function that switches it. */
export function useCashierI18n(): CashierI18n {
  const i18n = useContext(I18nContext);
  if (!i18n) throw new Error('useCashierI18n needs a CashierI18nProvider');
  return i18n;
}

/** Provides the page's language, starting with one that is already loaded. */
export function CashierI18nProvider(props: { first: Omit<CashierI18n, 'choose'>; children: ReactNode }) {
  const [current, setCurrent] = useState(props.first);
  useEffect(() => {
    document.documentElement.lang = localeOf[current.language];
  }, [current.language]);
  const i18n = useMemo<CashierI18n>(
    () => ({
      ...current,
      choose: (language) => {
        remember(language);
        // If the phrases cannot be loaded, the page keeps its language.
        loadPhrases(language).then(
          (phrases) => setCurrent({ language, phrases }),
          () => undefined,
        );
      },
    }),
    [current],
  );
  return <I18nContext value={i18n}>{props.children}</I18nContext>;
}

function remember(language: Language): void {
  writeStored(storedName, language);
  rememberForTab(language);
  const url = new URL(location.href);
  if (!url.searchParams.has('lang')) return;
  // A reload must not return to the link's language.
  url.searchParams.set('lang', language);
  history.replaceState(null, '', url);
}

function rememberForTab(language: Language): void {
  try {
    sessionStorage.setItem(storedName, language);
  } catch {
    // Without storage, the URL keeps the language while the page is open.
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
 * Formats an amount for a language: "1234.50" CNY → "¥1,234.50". `Intl` formats the decimal text exactly and
 * knows each currency's decimals. USDT is not an ISO currency, so its name follows the figure.
 * platform/format.ts does the same for the console, but it imports the contract's validator, which a payer's
 * phone does not need.
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
