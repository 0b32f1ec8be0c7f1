import type { BatchField } from '@hengfu/contract/payout-batch-rows';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type PointerEvent, type RefObject, useCallback, useState } from 'react';
import type { ValidatedRow } from '../batch-draft.ts';
import { noteCount } from './batch-row-notes.tsx';
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
  onPointerDown: (event: PointerEvent) => void;
  onFocus: (event: FocusEvent) => void;
  onBlur: () => void;
}

/**
 * Heights in pixels, as in the style sheet, until a row has been measured: an exact one saves rendering again. A note may take
 * more than a line.
 */
const heights = {
  row: { own: 45, cell: 0, notes: 9 },
  card: { own: 47, cell: 40, notes: 12 },
  note: 21,
  noteGap: 2,
};
/** Rows rendered above and below those on screen: fewer while they would be gone again with the next frame. */
const overscan = { atRest: 4, scrolling: 1 };
/** Frames until a row that was scrolled to has its cells. */
const maxFrames = 30;
/** Of the headings, which cover the first rows. */
const headHeight = 40;

/** Renders only the rows on screen, and the one that has the focus: it holds what the user is typing. */
export function useVirtualRows({ rows, scrollRef, fields, isNarrow }: VirtualRowsOptions): VirtualRows {
  const [focused, setFocused] = useState<number>();
  const [wanted, setWanted] = useState<number>();
  const estimateSize = (index: number) => {
    const row = rows[index];
    const { own, cell, notes } = isNarrow ? heights.card : heights.row;
    const count = row ? noteCount(row) : 0;
    const cells = own + (fields.length + 1) * cell;
    return count === 0 ? cells : cells + notes + count * (heights.note + heights.noteGap) - heights.noteGap;
  };
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollRef.current,
    // Another function would make it measure all rows again.
    getItemKey: useCallback((index: number) => rows[index]?.line ?? index, [rows]),
    estimateSize,
    overscan: overscan.atRest,
    scrollPaddingStart: headHeight,
    rangeExtractor: (range) => {
      const around = virtualizer.isScrolling ? overscan.scrolling : overscan.atRest;
      const indexes = defaultRangeExtractor({ ...range, overscan: around });
      if (focused === undefined || focused >= rows.length || indexes.includes(focused)) return indexes;
      return [...indexes, focused].toSorted((a, b) => a - b);
    },
  });
  const items = virtualizer.getVirtualItems();
  const ready = useReadyRows({
    lines: items.flatMap(({ index }) => rows[index]?.line ?? []),
    isScrolling: virtualizer.isScrolling,
    wanted,
  });
  const parts: Part[] = [];
  let end = 0;
  for (const { index, start, end: nextEnd } of items) {
    const row = rows[index];
    if (!row) continue;
    // The focused row may stand apart from the others. Keys by position keep the elements.
    if (start > end) parts.push({ gap: start - end, key: parts.length === 0 ? 'above' : 'between' });
    parts.push({ row, index, isReady: ready.has(row.line) });
    end = nextEnd;
  }
  const below = virtualizer.getTotalSize() - end;
  if (below > 0) parts.push({ gap: below, key: 'below' });

  const cellAt = (index: number, field: string) =>
    scrollRef.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-field="${field}"]:not(td)`);
  const goTo = (index: number, field: string) => {
    setWanted(rows[index]?.line);
    virtualizer.scrollToIndex(index);
    focusSoon(() => cellAt(index, field));
  };
  return {
    parts,
    measure: virtualizer.measureElement,
    goTo,
    onPointerDown: ({ target }) => {
      const index = indexOf(target);
      // A cell that is text for now becomes editable by the press.
      if (target instanceof HTMLTableCellElement && target.dataset.field !== undefined && index !== undefined)
        goTo(index, target.dataset.field);
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

function indexOf(element: EventTarget): number | undefined {
  const row = element instanceof Element && element.closest<HTMLElement>('tbody[data-index]');
  return row ? Number(row.dataset.index) : undefined;
}
