import type { QueryKey, QueryMeta } from '@tanstack/react-query';
import type * as z from 'zod';
import type { Translate } from '../language/i18n.ts';
import type { Explanation } from '../page/load-failure.tsx';
import type { ListReply, Totals } from './list-types.ts';

/** A query of the app's, for TanStack Query. */
export interface SourceQuery<T> {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: { signal: AbortSignal }) => Promise<T>;
  readonly meta?: QueryMeta;
}

/** Values of the source's query parameters, by name. */
export type QueryValues = Readonly<Record<string, string>>;

/** Where a list's rows come from. The app makes it of its calls; it stays the same object while they do. */
export interface ListSource<R> {
  /** Schema of the query: the names of the list's search parameters, and the values that are valid. */
  readonly query: z.ZodObject;
  /** Values that the source itself fixes, such as those of a path. Totals and exports take them as filters. */
  readonly fixed?: QueryValues | undefined;
  /** Begins the keys of all pages of the list. */
  readonly key: QueryKey;
  /** The page that valid parameters select. */
  page(query: QueryValues): SourceQuery<ListReply<R>>;
  /** Counts all rows exactly, and reports how many it has reached so far. Absent if the list can't be counted. */
  totals?(filters: QueryValues, onProgress: (counted: number | undefined) => void): SourceQuery<Totals>;
  /** Puts a failure to load into words. */
  explain(error: Error, t: Translate): Explanation;
}
