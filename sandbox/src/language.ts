/** The languages of the payer's page, as `?lang=` names them. */
export const languages = ['en', 'zh-cn', 'vi'] as const;

/** One of the languages of the payer's page. */
export type Language = (typeof languages)[number];

/** The tag of each language for `lang` attributes and for formatting. */
export const localeByLanguage: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  'zh-cn': 'zh-CN',
  vi: 'vi-VN',
};

/** Chooses the requested language, else the best of Accept-Language (RFC 9110 §12.5.4), else English. */
export function chooseLanguage(requested: unknown, acceptLanguage: string | undefined): Language {
  const named = languages.find(
    (language) => typeof requested === 'string' && language === requested.toLowerCase(),
  );
  return named ?? accepted(acceptLanguage ?? '') ?? 'en';
}

function accepted(header: string): Language | undefined {
  return header
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
      return { prefix: tag.split('-')[0], quality };
    })
    .filter(({ quality }) => quality > 0)
    .sort((left, right) => right.quality - left.quality)
    .map(({ prefix }) => languages.find((language) => language.split('-')[0] === prefix))
    .find((language) => language !== undefined);
}
