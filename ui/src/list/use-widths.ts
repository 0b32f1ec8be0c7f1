import { useMemo, useState } from 'react';
import { readOwnStored, writeOwnStored } from '../browser/stored.ts';

/** Widths in pixels by column key. */
export type Widths = ReadonlyMap<string, number>;

const limits = { least: 72, most: 720 };
const usualWidth = 160;

/** The user's widths of a list's columns, stored in this browser. */
export interface ColumnWidths {
  /** Whether any width was chosen. Otherwise columns are as wide as their content. */
  isSized: boolean;
  widthOf(key: string): number;
  /** Sets a column's width, within limits; `shown` are the widths on screen of all columns, which it fixes. */
  resize(key: string, width: number, shown: Widths): void;
  reset(): void;
}

/** Reads widths stored as `trade_no:180,amount:120`; what is not in this form is ignored. */
function readWidths(listName: string): Widths {
  const entries = (readOwnStored(`widths.${listName}`) ?? '').split(',').map((entry) => entry.split(':'));
  return new Map(
    entries.flatMap(([key, width]) => (key && Number(width) > 0 ? [[key, clamp(Number(width))]] : [])),
  );
}

const clamp = (width: number) => Math.round(Math.min(limits.most, Math.max(limits.least, width)));

export function useWidths(listName: string): ColumnWidths {
  const [widths, setWidths] = useState(() => readWidths(listName));
  return useMemo(() => {
    const save = (next: Widths) => {
      writeOwnStored(
        `widths.${listName}`,
        [...next].map(([key, width]) => `${key}:${width}`).join(',') || undefined,
      );
      setWidths(next);
    };
    return {
      isSized: widths.size > 0,
      widthOf: (key) => widths.get(key) ?? usualWidth,
      resize: (key, width, shown) => {
        const fixed = [...shown].map(([other, shownWidth]) => [other, clamp(shownWidth)] as const);
        save(new Map([...widths, ...fixed, [key, clamp(width)]]));
      },
      reset: () => save(new Map()),
    };
  }, [listName, widths]);
}

/** The limits of a width, in pixels. */
export const widthLimits = limits;

/** The widths on screen of a table's columns. */
export function shownWidths(table: Element | null | undefined): Widths {
  const headings = [...(table?.querySelectorAll<HTMLElement>('th[data-key]') ?? [])];
  return new Map(
    headings.map((heading) => [heading.dataset.key ?? '', Math.ceil(heading.getBoundingClientRect().width)]),
  );
}
