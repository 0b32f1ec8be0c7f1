import type * as z from 'zod';
import { searchOf } from '../browser/search.ts';
import { openParam } from './list-address.ts';
import type { ListFilter, ListSearch } from './list-types.ts';

/** Prefix of a nested list's search parameters: `lines` → `lines.`; '' for the page's own list. */
export function prefixOf(nested: string | undefined): string {
  return nested === undefined ? '' : `${nested}.`;
}

/**
 * The query parameters of a list (the page's own, or a nested one), without the prefix and without values
 * that the endpoint would reject. Needed because the router merges the result of a route's validation into
 * the raw parameters and removes none.
 */
export function queryOf(query: z.ZodObject, search: ListSearch, nested?: string): Record<string, string> {
  const pairs = Object.keys(query.shape).flatMap((name) => {
    const value = search[prefixOf(nested) + name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  return searchOf(query)(Object.fromEntries(pairs)) as Record<string, string>;
}

/** The filters of a list that are set, by parameter name. */
export function filtersOf(query: z.ZodObject, search: ListSearch): Record<string, string> {
  const { limit: _limit, cursor: _cursor, ...filters } = queryOf(query, search);
  return filters;
}

/** The names of a filter's search parameters. */
export function namesOf(filter: ListFilter): string[] {
  return 'name' in filter ? [filter.name] : [filter.from, filter.to];
}

/** Whether any of the filters is set. */
export function isFiltered(filters: readonly ListFilter[], search: ListSearch): boolean {
  return filters.some((filter) => namesOf(filter).some((name) => search[name] !== undefined));
}

/** The change that clears the filters. */
export function clearedFilters(filters: readonly ListFilter[]): ListSearch {
  return Object.fromEntries(filters.flatMap(namesOf).map((name) => [name, undefined]));
}

/**
 * The search parameters after a change. A change of filters or page size drops the cursor, which would point
 * into different rows; a change that names the cursor sets it.
 */
export function changedSearch(search: ListSearch, change: ListSearch, prefix = ''): ListSearch {
  const prefixed = Object.fromEntries(Object.entries(change).map(([name, value]) => [prefix + name, value]));
  const merged = { ...search, [`${prefix}cursor`]: undefined, ...prefixed };
  return Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== undefined && value !== ''),
  );
}

/**
 * The search parameters with another row open, or none. Drops the position of a list inside the old detail.
 */
export function openedSearch(search: ListSearch, key: string | undefined): ListSearch {
  const own = Object.entries(search).filter(([name]) => !name.includes('.') && name !== openParam);
  return { ...Object.fromEntries(own), ...(key !== undefined && { [openParam]: key }) };
}

/** The address of a row's detail without filters, for a new tab or for sharing. */
export function openHref(key: string): string {
  return `?${openParam}=${encodeURIComponent(key)}`;
}

/** Parses the value of a choice filter. */
export function choicesOf(value: string | undefined): string[] {
  return value === undefined || value === '' ? [] : value.split(',');
}

/** Formats the value of a choice filter, in the order of the offered values; undefined for none. */
export function choiceText(chosen: ReadonlySet<string>, offered: readonly string[]): string | undefined {
  return offered.filter((value) => chosen.has(value)).join(',') || undefined;
}
