import type { Language } from '@hengfu/contract/languages';
import { currentLanguage } from './i18n.ts';

type FormatAmounts = (text: string, language: Language) => string;

let formatAmounts: FormatAmounts = (text) => text;

/** Sets how amounts in messages of the server are written. Until then they stay as sent: the sign-in page shows none, and loads no formats. */
export function setAmountFormat(format: FormatAmounts): void {
  formatAmounts = format;
}

/** Returns a message of the server with its amounts in the reader's language. */
export function messageText(message: string): string {
  return formatAmounts(message, currentLanguage());
}
