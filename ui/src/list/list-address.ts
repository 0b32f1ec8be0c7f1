import type * as z from 'zod';

/** The search parameter that names the open row. */
export const openParam = 'open';
const maxOpenKeyLength = 128;

/**
 * The search parameters of a list's page: the query of its endpoint, the open row, and the position of each
 * list inside the detail (`lines.cursor`, `lines.limit`).
 */
export type ListAddress<Q extends z.ZodObject, N extends string = never> = z.input<Q> & {
  [openParam]?: string | undefined;
} & Partial<Record<`${N}.cursor` | `${N}.limit`, string>>;

/**
 * `validateSearch` of a list's route. Passes the parameters through unchecked; the page drops invalid ones
 * (`queryOf`), so that the frame's chunk does not include the pages' schemas.
 */
export function listAddress<Q extends z.ZodObject, N extends string = never>(
  search: Record<string, unknown>,
): ListAddress<Q, N> {
  return search as ListAddress<Q, N>;
}

/** The key of the open row, if any. */
export function openKeyOf(search: Readonly<Record<string, string | undefined>>): string | undefined {
  const key = search[openParam];
  return key !== undefined && key !== '' && key.length <= maxOpenKeyLength ? key : undefined;
}
