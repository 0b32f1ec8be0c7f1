import type { Language } from '@hengfu/contract/session';
import { setLanguage, translate } from './i18n.ts';
import { toast } from './toast.ts';

/** Switches the language; shows a toast if its phrases fail to load. */
export function chooseLanguage(language: Language): void {
  setLanguage(language).catch(() => toast('error', translate('shell.languageFailed'), 'language'));
}
