import type { OnwardPage } from '#domain/list.sql.ts';

/** Maps a page to its Open API form. */
export function openListOf<R, W>({ rows, next }: OnwardPage<R>, toWire: (row: R) => W) {
  return { items: rows.map(toWire), next_cursor: next };
}
