import type { PointerEvent, ReactElement } from 'react';
import styles from './list-table.module.css';
import { type ColumnWidths, shownWidths } from './use-widths.ts';

interface WidthHandleProps {
  columnKey: string;
  widths: ColumnWidths;
}

/**
 * The edge of a heading: dragged, it sets the column's width; a double click resets all widths. For the pointer only, because a
 * stop at each column would be in everyone's way; the form of the columns has a slider for each.
 */
export function WidthHandle({ columnKey, widths }: WidthHandleProps): ReactElement {
  const drag = (event: PointerEvent<HTMLElement>) => {
    const handle = event.currentTarget;
    const startX = event.clientX;
    const shown = shownWidths(handle.closest('table'));
    const outward = getComputedStyle(handle).direction === 'rtl' ? -1 : 1;
    const move = ({ clientX }: { clientX: number }) =>
      widths.resize(columnKey, (shown.get(columnKey) ?? 0) + (clientX - startX) * outward, shown);
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener('pointermove', move);
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), {
      once: true,
    });
  };
  return (
    <span
      aria-hidden="true"
      className={styles.handle}
      data-column={columnKey}
      onPointerDown={drag}
      onDoubleClick={widths.reset}
    />
  );
}
