import type { Language } from '@hengfu/contract/languages';

/** BCP 47 tag for `Intl` and `<html lang>`. */
export const localeOf: Record<Language, string> = { 'zh-cn': 'zh-CN', en: 'en-US', vi: 'vi-VN' };

/** Each language's name in that language, in the order of the language switch. */
export const languageNames: Record<Language, string> = {
  'zh-cn': '简体中文',
  en: 'English',
  vi: 'Tiếng Việt',
};
