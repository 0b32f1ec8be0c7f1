import type * as z from 'zod';
import { searchOf } from '../../platform/search.ts';
import { openParam } from './list-address.ts';
import type { ListFilter, ListSearch } from './list-types.ts';

/** Where the parameters of a list inside a detail stand: `lines` → `lines.`; the page's own have no prefix. */
export function prefixOf(nested: string | undefined): string {
  return nested === undefined ? '' : `${nested}.`;
}

/**
 * The parameters that belong to a list (the page's own, or a nested one), by the names the endpoint knows, without
 * those it would refuse: a route's check adds its result to the address's parameters and takes none away.
 */
export function queryOf(query: z.ZodObject, search: ListSearch, nested?: string): Record<string, string> {
  const pairs = Object.keys(query.shape).flatMap((name) => {
    const value = search[prefixOf(nested) + name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  return searchOf(query)(Object.fromEntries(pairs)) as Record<string, string>;
}

/** The filters of a list that are set, by the names that its call knows. */
export function filtersOf(query: z.ZodObject, search: ListSearch): Record<string, string> {
  const { limit: _limit, cursor: _cursor, ...filters } = queryOf(query, search);
  return filters;
}

/** The names of a filter's parameters. */
export function namesOf(filter: ListFilter): string[] {
  return 'name' in filter ? [filter.name] : [filter.from, filter.to];
}

/** Whether any of the filters is set. */
export function isFiltered(filters: readonly ListFilter[], search: ListSearch): boolean {
  return filters.some((filter) => namesOf(filter).some((name) => search[name] !== undefined));
}

/** The change that removes all the filters. */
export function clearedFilters(filters: readonly ListFilter[]): ListSearch {
  return Object.fromEntries(filters.flatMap(namesOf).map((name) => [name, undefined]));
}

/**
 * The search after a change of filters or page size: the cursor of the old rows means nothing among the new ones. A
 * change that names the cursor keeps it.
 */
export function changedSearch(search: ListSearch, change: ListSearch, prefix = ''): ListSearch {
  const prefixed = Object.fromEntries(Object.entries(change).map(([name, value]) => [prefix + name, value]));
  const merged = { ...search, [`${prefix}cursor`]: undefined, ...prefixed };
  return Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== undefined && value !== ''),
  );
}

/** The search with another row open, or none: a list inside the old row's detail starts over. */
export function openedSearch(search: ListSearch, key: string | undefined): ListSearch {
  const own = Object.entries(search).filter(([name]) => !name.includes('.') && name !== openParam);
  return { ...Object.fromEntries(own), ...(key !== undefined && { [openParam]: key }) };
}

/** A row's own address, for a new tab or somebody else: the row without the filters around it. */
export function openHref(key: string): string {
  return `?${openParam}=${encodeURIComponent(key)}`;
}

/** The values of a choice filter. */
export function choicesOf(value: string | undefined): string[] {
  return value === undefined || value === '' ? [] : value.split(',');
}

/** The text of a choice filter, in the order in which the values are offered; undefined for none. */
export function choiceText(chosen: ReadonlySet<string>, offered: readonly string[]): string | undefined {
  return offered.filter((value) => chosen.has(value)).join(',') || undefined;
}
