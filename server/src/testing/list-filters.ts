import type { KnownList } from './known-lists.ts';

/** A row of a list, as the wire has it. */
export type SampleRow = Readonly<Record<string, unknown>>;
/** Filters as they stand in an address. */
export type FilterSet = Readonly<Record<string, string>>;

const dayMs = 86_400_000;
/** What an exact filter is asked for that nothing has. */
export const nothing = '0-nothing-has-this';

/**
 * Every set of filters of a list: each filter absent, or with each of its values (of ranges: wide, narrow; of texts:
 * one that is there, one that is not), from what a row has. A number of one order leaves nothing to choose, so numbers
 * stand beside the first value of every other filter only.
 */
export function* filterSetsOf(list: KnownList, row: SampleRow): Generator<FilterSet> {
  const filters = filtersOf(list, row);
  const isNumber = (filter: FilterSet[]) =>
    filter.some((set) => Object.keys(set).some((name) => /_no$/.test(name)));
  const others = filters.filter((filter) => !isNumber(filter));
  yield* product(others);
  for (const number of filters.filter(isNumber)) {
    for (const set of product(others.map((filter) => filter.slice(0, 1))))
      for (const value of number) yield { ...set, ...value };
  }
}

/** By filter: the values that it may take, those that match most rows first. */
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
    return [[...(typeof present === 'string' ? [present] : []), nothing].map((value) => ({ [name]: value }))];
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

/** Every choice of one value, or none, of each filter. */
function* product([first, ...rest]: readonly FilterSet[][]): Generator<FilterSet> {
  if (!first) return void (yield {});
  for (const set of product(rest)) {
    yield set;
    for (const value of first) yield { ...value, ...set };
  }
}
