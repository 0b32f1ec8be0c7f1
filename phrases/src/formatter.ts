/** One format per language: creating one takes longer than the rest of a phrase. */
const numberFormats = new Map<string | undefined, Intl.NumberFormat>();

function numberFormat(language: string | undefined): Intl.NumberFormat {
  const known = numberFormats.get(language) ?? new Intl.NumberFormat(language);
  numberFormats.set(language, known);
  return known;
}

/**
 * Formats the values of placeholders, as a formatter module of i18next: numbers as the language writes them
 * ("1,800", "1.800"), other values unchanged.
 */
export const formatter = {
  type: 'formatter',
  init() {},
  add() {},
  addCached() {},
  format(value: unknown, _format?: string, language?: string): string {
    // i18next turns other values into text itself.
    return typeof value === 'number' ? numberFormat(language).format(value) : (value as string);
  },
} as const;
