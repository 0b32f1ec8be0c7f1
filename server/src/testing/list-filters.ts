import type { KnownList } from './known-lists.ts';

/** A row of a list, as in the JSON reply. */
export type SampleRow = Readonly<Record<string, unknown>>;
/** Filters as in a URL. */
export type FilterSet = Readonly<Record<string, string>>;

const dayMs = 86_400_000;
/** The value of an exact filter that matches no row. */
export const noMatch = '0-nothing-has-this';

/**
 * Yields every set of a list's filters: each filter absent, or with each of its values, taken from a sample
 * row (ranges: wide and narrow; texts: one that matches and one that does not). An order number selects one
 * order at most, and each of the list's details has an index of its own: these are combined only with the first value of
 * every other filter, and details with the first value of each other.
 */
export function* filterSetsOf(list: KnownList, row: SampleRow): Generator<FilterSet> {
  const filters = filtersOf(list, row);
  const isOf = (isMeant: (name: string) => boolean) => (filter: FilterSet[]) =>
    filter.some((set) => Object.keys(set).some(isMeant));
  const isNumber = isOf((name) => /_no$/.test(name));
  const isDetail = isOf((name) => list.details?.includes(name) ?? false);
  const others = filters.filter((filter) => !isNumber(filter) && !isDetail(filter));
  yield* product(others);
  yield* product(filters.filter(isDetail).map(first));
  for (const narrow of filters.filter((filter) => isNumber(filter) || isDetail(filter)))
    for (const set of product(others.map(first))) for (const value of narrow) yield { ...set, ...value };
}

const first = (filter: FilterSet[]): FilterSet[] => filter.slice(0, 1);

/** Lists the values to test of each filter; those that match most rows come first. */
export function filtersOf({ query, several }: KnownList, row: SampleRow): FilterSet[][] {
  const names = Object.keys(query.shape).filter((name) => name !== 'limit' && name !== 'cursor');
  return names.flatMap((name): FilterSet[][] => {
    const field = name.replace(/(From|To)$/, '');
    if (name.endsWith('To')) return [];
    if (name === 'amountFrom') return [amounts(row)];
    if (name.endsWith('From')) return [times(field, row)];
    const values = several[name];
    if (values) return [[...values, values.slice(0, 2).join(',')].map((value) => ({ [name]: value }))];
    const present = row[name];
    return [[...(typeof present === 'string' ? [present] : []), noMatch].map((value) => ({ [name]: value }))];
  });
}

function amounts({ amount }: SampleRow): FilterSet[] {
  const own = typeof amount === 'string' ? amount.replace('-', '') : '1.00';
  return [
    { amountFrom: '0.01', amountTo: '99999999.00' },
    { amountFrom: own, amountTo: own },
  ];
}

function times(field: string, row: SampleRow): FilterSet[] {
  const named = row[`${field}At`];
  const at = typeof named === 'string' ? Date.parse(named) : Date.now() - 30 * dayMs;
  const around = (days: number): FilterSet => ({
    [`${field}From`]: new Date(at - days * dayMs).toISOString(),
    [`${field}To`]: new Date(at + days * dayMs).toISOString(),
  });
  return [around(200), around(0.5)];
}

/** Yields every choice of one value, or none, of each filter (a Cartesian product). */
function* product([first, ...rest]: readonly FilterSet[][]): Generator<FilterSet> {
  if (!first) return void (yield {});
  for (const set of product(rest)) {
    yield set;
    for (const value of first) yield { ...value, ...set };
  }
}
