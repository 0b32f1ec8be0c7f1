import type { BatchField } from '@hengfu/contract/payout-batch-rows';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type RefObject, useCallback, useState } from 'react';
import type { ValidatedRow } from '../batch-draft.ts';
import { hasNotes } from './batch-row-notes.tsx';
import { useReadyRows } from './use-ready-rows.ts';

/** A row on screen, or the height of the rows that are not, in pixels. */
type Part = { row: ValidatedRow; index: number; isReady: boolean } | { gap: number; key: string };

interface VirtualRowsOptions {
  rows: readonly ValidatedRow[];
  scrollRef: RefObject<HTMLDivElement | null>;
  fields: readonly BatchField[];
  isNarrow: boolean;
}

interface VirtualRows {
  parts: readonly Part[];
  /** The ref of each row. */
  measure: (row: HTMLTableSectionElement | null) => void;
  /** Scrolls to a row and focuses its cell. */
  goTo: (index: number, field: string) => void;
  onFocus: (event: FocusEvent) => void;
  onBlur: () => void;
}

/** Heights in pixels until a row has been measured: of a row, of its notes, of a field on a phone. */
const rowHeight = 45;
const notesHeight = 30;
const cardFieldHeight = 44;
/** Rows rendered above and below those on screen. */
const overscan = 4;
/** Frames until a row that was scrolled to has its cells. */
const maxFrames = 30;
/** Of the headings, which cover the first rows. */
const headHeight = 40;

/** Renders only the rows on screen, and the one that has the focus: it holds what the user is typing. */
export function useVirtualRows({ rows, scrollRef, fields, isNarrow }: VirtualRowsOptions): VirtualRows {
  const [focused, setFocused] = useState<number>();
  const estimateSize = (index: number) => {
    const row = rows[index];
    const cells = isNarrow ? (fields.length + 2) * cardFieldHeight : rowHeight;
    return cells + (row && hasNotes(row) ? notesHeight : 0);
  };
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollRef.current,
    // Another function would make it measure all rows again.
    getItemKey: useCallback((index: number) => rows[index]?.line ?? index, [rows]),
    estimateSize,
    overscan,
    scrollPaddingStart: headHeight,
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      if (focused === undefined || focused >= rows.length || indexes.includes(focused)) return indexes;
      return [...indexes, focused].toSorted((a, b) => a - b);
    },
  });
  const items = virtualizer.getVirtualItems();
  const ready = useReadyRows(items.flatMap(({ index }) => rows[index]?.line ?? []));
  const parts: Part[] = [];
  let end = 0;
  for (const { index, start, end: nextEnd } of items) {
    const row = rows[index];
    if (!row) continue;
    if (start > end) parts.push({ gap: start - end, key: `before ${row.line}` });
    parts.push({ row, index, isReady: ready.has(row.line) });
    end = nextEnd;
  }
  const below = virtualizer.getTotalSize() - end;
  if (below > 0) parts.push({ gap: below, key: 'below' });

  const cellAt = (index: number, field: string) =>
    scrollRef.current?.querySelector<HTMLElement>(
      `[data-index="${index}"] [data-field="${field}"]:not(span)`,
    );
  return {
    parts,
    measure: virtualizer.measureElement,
    goTo: (index, field) => {
      virtualizer.scrollToIndex(index);
      focusSoon(() => cellAt(index, field));
    },
    onFocus: ({ target }) => setFocused(indexOf(target)),
    onBlur: () => setFocused(undefined),
  };
}

/** Focuses an element once it is there, within some frames. */
function focusSoon(find: () => HTMLElement | null | undefined, frames = maxFrames): void {
  const element = find();
  if (element) element.focus();
  else if (frames > 0) requestAnimationFrame(() => focusSoon(find, frames - 1));
}

function indexOf(element: Element): number | undefined {
  const row = element.closest<HTMLElement>('tbody[data-index]');
  return row ? Number(row.dataset.index) : undefined;
}
