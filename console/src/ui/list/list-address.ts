import type * as z from 'zod';

/** The search parameter that names the open row. */
export const openParam = 'open';
const longestOpen = 128;

/**
 * The search parameters of a list's page: the query of its endpoint, the open row, and for each list inside the detail
 * its position (`lines.cursor`, `lines.limit`).
 */
export type ListAddress<Q extends z.ZodObject, N extends string = never> = z.input<Q> & {
  [openParam]?: string | undefined;
} & Partial<Record<`${N}.cursor` | `${N}.limit`, string>>;

/**
 * `validateSearch` of a list's route. The parameters are taken as they stand: the page drops what its call would refuse
 * (`queryOf`), so that the frame needs no page's schemas.
 */
export function listAddress<Q extends z.ZodObject, N extends string = never>(
  search: Record<string, unknown>,
): ListAddress<Q, N> {
  return search as ListAddress<Q, N>;
}

/** The open row of an address. */
export function openKeyOf(search: Readonly<Record<string, string | undefined>>): string | undefined {
  const key = search[openParam];
  return key !== undefined && key !== '' && key.length <= longestOpen ? key : undefined;
}
