import type { ListReply } from './list-types.ts';

/** A snapshot of the page on screen, which live updates change without moving rows. */
export interface HeldPage<R> {
  /** The reply that the snapshot was made from. */
  source: ListReply<R> | undefined;
  /** Identifies the page: query and cursor. */
  pageId: string;
  page: ListReply<R> | undefined;
  /** Number of changes per row key since the page was opened; unchanged rows are absent. */
  changes: ReadonlyMap<string, number>;
  /** The list now has other rows than those on screen. */
  isOutdated: boolean;
}

/**
 * Applies a fresh reply to the snapshot without moving rows that the user is looking at. Rows on screen get
 * their new values. Rows are added and removed only if `mayMove` (at the top of the first page), or for
 * another page. Unchanged rows keep their identity, so that React skips them.
 */
export function holdPage<R>(
  held: HeldPage<R>,
  source: ListReply<R> | undefined,
  pageId: string,
  mayMove: boolean,
  keyOf: (row: R) => string,
): HeldPage<R> {
  if (!source || !held.page || held.pageId !== pageId) {
    return { source, pageId, page: source, changes: new Map(), isOutdated: false };
  }
  const shown = new Map(held.page.data.map((row) => [keyOf(row), row]));
  const fresh = source.data.map((row) => {
    const before = shown.get(keyOf(row));
    return before !== undefined && isSameRow(before, row) ? before : row;
  });
  const isSameSet =
    fresh.length === shown.size &&
    held.page.data.every((row, index) => keyOf(row) === keyAt(fresh, index, keyOf));
  const rows = isSameSet || mayMove ? fresh : patched(held.page.data, fresh, keyOf);
  const changes = new Map(held.changes);
  for (const row of rows) {
    const key = keyOf(row);
    if (shown.get(key) !== row) changes.set(key, (changes.get(key) ?? 0) + 1);
  }
  const isOutdated = !isSameSet && !mayMove;
  // While old rows stay on screen, so do their cursors: the next page follows the rows that are shown.
  const { next, previous } = isOutdated ? held.page : source;
  return {
    source,
    pageId,
    page: { ...source, data: rows, next, previous },
    changes,
    isOutdated,
  };
}

function keyAt<R>(rows: readonly R[], index: number, keyOf: (row: R) => string): string | undefined {
  const row = rows[index];
  return row === undefined ? undefined : keyOf(row);
}

/** The rows on screen in their order, with the values of the fresh ones. */
function patched<R>(rows: readonly R[], fresh: readonly R[], keyOf: (row: R) => string): R[] {
  const byKey = new Map(fresh.map((row) => [keyOf(row), row]));
  return rows.map((row) => byKey.get(keyOf(row)) ?? row);
}

/** Compares two rows as JSON: both were parsed by the same schema, so their fields have the same order. */
function isSameRow<R>(one: R, other: R): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
