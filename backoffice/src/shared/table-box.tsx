import type { ReactElement, ReactNode } from 'react';
import styles from './table.module.css';

/** A table in a box of its own that scrolls sideways, also by keyboard. `label` names it for screen readers. */
export function TableBox({ label, children }: { label: string; children: ReactNode }): ReactElement {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <div className={styles.scroll} role="group" aria-label={label} tabIndex={0}>
      <table className={styles.table}>{children}</table>
    </div>
  );
}
