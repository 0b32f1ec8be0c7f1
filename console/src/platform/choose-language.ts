import type { Language } from '@hengfu/contract/session';
import { setLanguage, translate } from './i18n.ts';
import { toast } from './toast.ts';

/** What a language switch does: the language's phrases may fail to load, and that is said. */
export function chooseLanguage(language: Language): void {
  setLanguage(language).catch(() => toast('error', translate('shell.languageFailed'), 'language'));
}
