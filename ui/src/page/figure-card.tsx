import type { ReactElement, ReactNode } from 'react';
import { Hint } from '../overlays/hint.tsx';
import styles from './figure-card.module.css';

interface FigureProps {
  label: string;
  /** Definition of the figure, behind an "i". */
  hint?: string;
  /** Undefined while loading. */
  value: ReactNode | undefined;
  /** Small text below: a comparison, a breakdown. */
  note?: ReactNode;
  /** `lead` is the most important figure. */
  size?: 'lead' | 'normal';
}

/** A labeled figure. Its space is reserved while it loads, so that nothing moves. */
export function Figure({ label, hint, value, note, size = 'normal' }: FigureProps): ReactElement {
  return (
    <div className={styles.figure} data-size={size}>
      <dt>
        {label}
        {hint && <Hint label={label} text={hint} />}
      </dt>
      <dd className={styles.value}>{value ?? <span className={styles.bone} />}</dd>
      {note !== undefined && <dd className={styles.note}>{note}</dd>}
    </div>
  );
}

/** Figures side by side, as many as fit, as a description list. */
export function Figures({
  children,
  isBusy = false,
}: {
  children: ReactNode;
  isBusy?: boolean;
}): ReactElement {
  return (
    <dl className={styles.figures} aria-busy={isBusy}>
      {children}
    </dl>
  );
}
