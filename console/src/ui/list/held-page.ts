import type { ListReply } from './list-types.ts';

/** What is on screen: a reply, the rows that a live change touched, and whether newer rows wait to be shown. */
export interface HeldPage<R> {
  /** The reply this was made from. */
  source: ListReply<R> | undefined;
  /** Which page it is: query and cursor. */
  pageId: string;
  page: ListReply<R> | undefined;
  /** How often each row changed on screen, by key; only rows that changed since the page was opened. */
  changes: ReadonlyMap<string, number>;
  /** The list holds other rows by now than those on screen. */
  isOutdated: boolean;
}

/**
 * Takes a fresh reply without moving what a person is looking at. Rows that are on screen take their new values; rows
 * come and go only where `mayMove` (the top of the first page) or where another page was asked for. Rows that did not
 * change stay the same objects, so that React leaves them alone.
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
  return {
    source,
    pageId,
    page: { ...source, data: rows },
    changes,
    isOutdated: !isSameSet && !mayMove,
  };
}

function keyAt<R>(rows: readonly R[], index: number, keyOf: (row: R) => string): string | undefined {
  const row = rows[index];
  return row === undefined ? undefined : keyOf(row);
}

/** The rows on screen, in their order, with the values that the fresh ones bring. */
function patched<R>(rows: readonly R[], fresh: readonly R[], keyOf: (row: R) => string): R[] {
  const byKey = new Map(fresh.map((row) => [keyOf(row), row]));
  return rows.map((row) => byKey.get(keyOf(row)) ?? row);
}

/** Rows are flat JSON, and both came through the same schema: their fields stand in the same order. */
function isSameRow<R>(one: R, other: R): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
