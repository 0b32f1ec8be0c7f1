import type { ReactElement } from 'react';
import styles from './progress.module.css';

interface ProgressProps {
  label: string;
  /** How much of `max` is done; undefined if nobody knows. */
  value: number | undefined;
  max: number;
}

/** A native progress bar, as wide as its place. */
export function Progress({ label, value, max }: ProgressProps): ReactElement {
  return <progress className={styles.progress} max={max} value={value} aria-label={label} />;
}
