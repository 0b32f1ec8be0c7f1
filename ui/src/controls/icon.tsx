import type { ReactElement } from 'react';
import styles from './icon.module.css';
import { frameShapes, smallShapes } from './icon-shapes.ts';

export type IconName = keyof typeof smallShapes | keyof typeof frameShapes;

const isSmall = (name: IconName): name is keyof typeof smallShapes => name in smallShapes;

/** Decorative icon next to a label, hidden from assistive technology. `size` is in CSS pixels. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }): ReactElement {
  const { shape, grid } = isSmall(name)
    ? { shape: smallShapes[name], grid: 16 }
    : { shape: frameShapes[name], grid: 24 };
  return (
    <svg
      aria-hidden="true"
      className={grid === 16 ? styles.small : styles.frame}
      width={size}
      height={size}
      viewBox={`0 0 ${grid} ${grid}`}
    >
      <path d={shape} />
    </svg>
  );
}
