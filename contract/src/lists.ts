import * as z from 'zod';
import { amount, currency } from './money.ts';
import { phrase } from './phrase.ts';

/** Page sizes that a list offers. */
export const pageSizes = [20, 50, 100, 200] as const;
const defaultPageSize = 20;

/**
 * Above this many rows, a total that has to be counted is only a lower bound: `{count: 10000, exact: false}` reads "more
 * than 10,000".
 */
export const exactTotalLimit = 10_000;

const minInstantMs = Date.parse('0001-01-01T00:00:00Z');
const maxInstantMs = Date.parse('9999-12-31T23:59:59Z');
const maxInstantLength = 40;

/** Whether PostgreSQL can store the time, and it has a four-digit year in UTC. */
function isStorable(text: string): boolean {
  const at = Date.parse(text);
  const isZone = !/[+-](1[6-9]|2\d):\d\d$/.test(text);
  return isZone && text.length <= maxInstantLength && at >= minInstantMs && at <= maxInstantMs;
}

/** An instant on the wire: ISO 8601 with offset. */
export const instant = z.iso
  .datetime({ offset: true, error: phrase('validation.instant') })
  .refine(isStorable, phrase('validation.instant'));

const limit = z
  .string()
  .refine((text) => pageSizes.some((size) => String(size) === text), phrase('validation.limit'))
  .transform(Number);

/**
 * The query of a list: its filters (all optional), `limit` and `cursor`. Strict: an unknown parameter is an error,
 * so a misspelled filter can't silently show everything.
 */
export function listQuery<const F extends z.ZodRawShape>(filters: F) {
  return z.strictObject({
    ...filters,
    limit: limit.default(defaultPageSize),
    cursor: z
      .string()
      .regex(/^[\w-]{1,200}$/, phrase('validation.cursor'))
      .optional(),
  });
}

/** Maximum characters of a filter as text: all values of the longest choice. */
export const maxFilterLength = 2048;

/** One or more values of a filter, comma-separated in the URL: `status=paid,success`. */
export function oneOrMore<const V extends readonly [string, ...string[]]>(values: V) {
  const known = new Set<string>(values);
  return z
    .string()
    .transform((text) => text.split(','))
    .refine((list) => list.every((value) => known.has(value)), phrase('validation.choice'))
    .transform((list) => [...new Set(list)] as V[number][])
    .optional();
}

const filterText = () => z.string().trim().min(1, phrase('validation.choice')).max(128).optional();

/** A free text filter: exact match of a name, an address or a hash. */
export const textFilter = filterText();

/** A filter that finds numbers by their beginning. */
export const numberFilter = filterText();

/** Sum of the amounts of all rows that the filter matches. */
export const listSum = z.object({ currency, amount });

/**
 * A page of rows: newest first; `next` and `previous` are cursors, null at the ends. `sum` is present only
 * while the total is exact: a partial sum would be mistaken for the whole. `at` is the time at which rows and totals were
 * read, as of one moment.
 */
export function listReply<R extends z.ZodType>(row: R) {
  return z.object({
    data: z.array(row),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    total: z.object({ count: z.number().int(), exact: z.boolean() }),
    sum: listSum.optional(),
    at: instant,
  });
}

/** The paging fields of every list query after validation. */
export interface PageQuery {
  limit: number;
  cursor?: string | undefined;
}
