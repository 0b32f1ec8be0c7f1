import type { Language } from '@hengfu/contract/session';
import type { Locale } from 'antd/es/locale';

/** Antd's own texts (calendar, paging, empty table), one chunk per language. */
const loaders: Record<Language, () => Promise<{ default: Locale }>> = {
  'zh-cn': () => import('antd/es/locale/zh_CN'),
  en: () => import('antd/es/locale/en_US'),
  vi: () => import('antd/es/locale/vi_VN'),
};

const loaded = new Map<Language, Promise<Locale>>();

/** Loads a language's texts. Returns the same promise for the same language, as React's `use` requires. */
export function antdLocale(language: Language): Promise<Locale> {
  let locale = loaded.get(language);
  if (!locale) {
    locale = loaders[language]().then((module) => module.default);
    // Failures are not cached: the next language switch tries again.
    locale.catch(() => loaded.delete(language));
    loaded.set(language, locale);
  }
  return locale;
}
