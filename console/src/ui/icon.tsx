import type { ReactElement } from 'react';

const circle = 'M14.25 8a6.25 6.25 0 1 1-12.5 0 6.25 6.25 0 0 1 12.5 0Z';

/** Outlines on a 16-unit grid; two marks that tell states apart differ in shape, not in colour alone. */
const outlines = {
  alert: 'M8 2.2 14.4 13.5H1.6ZM8 6.5v3.2M8 11.6v.1',
  arrowDown: 'M8 3v10M4 9l4 4 4-4',
  arrowUp: 'M8 13V3M4 7l4-4 4 4',
  calendar: 'M2.25 3.5h11.5v10.25H2.25ZM2.25 6.75h11.5M5.25 1.75V5M10.75 1.75V5',
  check: 'm3 8.5 3.2 3.2L13 4.5',
  chevronDown: 'm4 6 4 4 4-4',
  chevronLeft: 'M10 4 6 8l4 4',
  chevronRight: 'm6 4 4 4-4 4',
  circle,
  circleCheck: `${circle}M5.2 8.2l2 2 3.7-4.2`,
  circleClock: `${circle}M8 4.6V8l2.3 1.4`,
  circleCross: `${circle}M6 6l4 4M10 6l-4 4`,
  circleDash: `${circle}M5.4 8h5.2`,
  circleInfo: `${circle}M8 7.4v3.5M8 5.2v.1`,
  close: 'm4 4 8 8M12 4l-8 8',
  columns: 'M2.25 2.75h11.5v10.5H2.25ZM6.1 2.75v10.5M9.9 2.75v10.5',
  copy: 'M5.5 5.5h8.25v8.25H5.5ZM10.5 5.5V2.25H2.25v8.25H5.5',
  doubleCheck: 'm1.2 8.7 2.9 2.9 5.8-6.8M7.3 10.9l.8.7 6-6.8',
  external: 'M9.25 2.5h4.25v4.25M13.5 2.5 7.75 8.25M11.5 9.25v4.25h-9v-9h4.25',
  first: 'm11.5 4-4 4 4 4M4.5 4v8',
  link: 'M6.8 9.2a2.7 2.7 0 0 0 3.9 0l2.4-2.4a2.75 2.75 0 0 0-3.9-3.9l-.8.8M9.2 6.8a2.7 2.7 0 0 0-3.9 0L2.9 9.2a2.75 2.75 0 0 0 3.9 3.9l.8-.8',
  refresh: 'M13.4 8A5.4 5.4 0 1 1 11.7 4.1L13.5 6M13.5 2.5V6H10',
  search: 'M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0ZM10.3 10.3l3.4 3.4',
  table: 'M2.25 2.75h11.5v10.5H2.25ZM2.25 6.25h11.5M2.25 9.75h11.5M6.25 6.25v7',
  trend: 'M2 12.5l4-5 3 2.5 5-6.5M10.5 3.5H14V7',
  undo: 'M5.75 3 2.5 6.25 5.75 9.5M2.75 6.25h6.5a3.6 3.6 0 0 1 0 7.2H6',
} as const;

export type IconName = keyof typeof outlines;

/** A mark beside words; it says nothing to a screen reader, the words do. `size` in CSS pixels. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }): ReactElement {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={outlines[name]} />
    </svg>
  );
}
