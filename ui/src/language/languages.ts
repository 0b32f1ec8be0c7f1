import type { Language } from '@hengfu/contract/languages';

/** Each language's name in that language, in the order of the language switch. */
export const languageNames: Record<Language, string> = {
  'zh-cn': '简体中文',
  en: 'English',
  vi: 'Tiếng Việt',
};
