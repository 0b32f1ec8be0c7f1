import type { ReactElement } from 'react';
import { frameShapes, smallShapes } from './icon-shapes.ts';

export type IconName = keyof typeof smallShapes | keyof typeof frameShapes;

const isSmall = (name: IconName): name is keyof typeof smallShapes => name in smallShapes;

/** Decorative icon next to a label, hidden from assistive technology. `size` is in CSS pixels. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }): ReactElement {
  const { shape, grid, stroke } = isSmall(name)
    ? { shape: smallShapes[name], grid: 16, stroke: 1.5 }
    : { shape: frameShapes[name], grid: 24, stroke: 1.7 };
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      width={size}
      height={size}
      viewBox={`0 0 ${grid} ${grid}`}
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={shape} />
    </svg>
  );
}
