/** Interface languages; the first is the default (spec, point 1). */
export const languages = ['zh-cn', 'en', 'vi'] as const;
export type Language = (typeof languages)[number];
