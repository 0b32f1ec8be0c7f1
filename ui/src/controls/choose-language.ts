import type { Language } from '@hengfu/contract/languages';
import { toast } from '../feedback/toast.ts';
import { setLanguage, translate } from '../language/i18n.ts';

/** Switches the language; shows a toast if its phrases fail to load. */
export function chooseLanguage(language: Language): void {
  setLanguage(language).catch(() => toast('error', translate('shell.languageFailed'), 'language'));
}
