import type { FilterOfKind } from './list-types.ts';

/** The beginning of a number of ours: a letter, and digits that begin with the date. */
const ourNumber = /^[A-Z]\d{2}(0[1-9]|1[0-2])\d*$/i;

/**
 * The filter that a typed number is meant for. Numbers of ours are found by their beginning; all others are the merchant's,
 * and are found whole.
 */
export function filterForNumber(
  filters: readonly FilterOfKind<'text'>[],
  text: string,
): FilterOfKind<'text'> | undefined {
  const isOurs = ourNumber.test(text);
  return filters.find(({ match }) => (match === 'beginning') === isOurs) ?? filters[0];
}
