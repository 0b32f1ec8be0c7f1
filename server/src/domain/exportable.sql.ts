import type { Language } from '@hengfu/contract/languages';
import type { RawBuilder } from 'kysely';
import type * as z from 'zod';
import type { MerchantTx } from '#db/database.ts';
import type { Home } from './caller.ts';
import type { ListSource } from './list-source.sql.ts';
import { readAll } from './list-whole.sql.ts';
import { type TimeFilters, timeFiltersOf } from './time-filters.ts';
import { validate } from './validate.ts';

type Filters = Readonly<Record<string, string>>;
/** A row as the API returns it. */
export type WireRow = Readonly<Record<string, unknown>>;

/** A list of the console: its filters, and the source its rows are read from; undefined if there is nothing to read yet. */
export interface ConsoleList<Q extends z.ZodType = z.ZodType> {
  query: Q;
  source: (
    tx: MerchantTx,
    home: Home,
    query: z.output<Q>,
  ) => ListSource | undefined | Promise<ListSource | undefined>;
}

/** Declares a list of the console. */
export const consoleList = <Q extends z.ZodType>(
  query: Q,
  source: ConsoleList<Q>['source'],
): ConsoleList<Q> => ({ query, source });

/** A list whose rows PostgreSQL renders as text, which is faster than mapping each row. */
export interface CopyableList {
  source: ListSource;
  /** SQL of each column by its name in the API; amounts in minor units. */
  cells: Readonly<Record<string, RawBuilder<unknown>>>;
  /** For columns that hold ids: reads the text to show for each id, once per file. */
  names?: Readonly<Record<string, (tx: MerchantTx) => Promise<Readonly<Record<string, string>>>>>;
}

/** A list that can be exported as a whole, as of one moment, in the console's order. */
export interface Exportable {
  /**
   * Reads rows in batches, as the API returns them; sentences within a row are in the language. Throws `validation_failed` for
   * invalid filters.
   */
  read: (
    tx: MerchantTx,
    home: Home,
    filters: Filters,
    language: Language,
  ) => AsyncIterable<readonly WireRow[]>;
  /** The fast path, for lists whose rows PostgreSQL can render; undefined for an empty list. */
  copyable?: (tx: MerchantTx, home: Home, filters: Filters) => Promise<CopyableList | undefined>;
  /** Builds the list's source; undefined for an empty list. Absent for rows that are computed. */
  source?: (tx: MerchantTx, home: Home, filters: Filters) => Promise<ListSource | undefined>;
  /** Throws `validation_failed` for filters that the list would reject. */
  check: (filters: Filters) => void;
  /** The filters that are ends of time ranges. */
  timeFilters: TimeFilters;
}

/**
 * Makes a list of the console exportable from the same source. `toRow` maps a database row to the row of the API;
 * `rendering` names the columns for the fast path.
 */
export function exportable<Q extends z.ZodObject, R>(
  { query, source }: ConsoleList<Q>,
  toRow: (row: R, home: Home, language: Language) => object,
  rendering?: (home: Home) => Omit<CopyableList, 'source'>,
): Exportable {
  return {
    check: (filters) => void validate(query, filters),
    timeFilters: timeFiltersOf(query),
    source: async (tx, home, filters) => source(tx, home, validate(query, filters)),
    ...(rendering && {
      copyable: async (tx, home, filters) => {
        const from = await source(tx, home, validate(query, filters));
        return from && { source: from, ...rendering(home) };
      },
    }),
    async *read(tx, home, filters, language) {
      const from = await source(tx, home, validate(query, filters));
      if (!from) return;
      for await (const batch of readAll<R>(tx, from))
        yield batch.map((row) => toRow(row, home, language) as WireRow);
    },
  };
}
