/** Interface languages; the first is the default (spec, point 1). */
export const languages = ['zh-cn', 'en', 'vi'] as const;
export type Language = (typeof languages)[number];

/** BCP 47 tag of each language, for `Intl` and `<html lang>`. */
export const localeOf: Record<Language, string> = { 'zh-cn': 'zh-CN', en: 'en-US', vi: 'vi-VN' };
