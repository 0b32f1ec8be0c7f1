import type { ReactElement, ReactNode } from 'react';
import styles from './sums.module.css';

/** One line of a bill. */
export interface SumRow {
  label: string;
  value: ReactNode;
  /** A total, in bold below a line. */
  isTotal?: boolean;
}

interface SumsProps {
  rows: readonly SumRow[];
  /** A warning about these amounts. */
  notice?: ReactNode;
  /** Rates and terms, in small type. */
  children?: ReactNode;
}

/** Amounts below each other as on a bill. */
export function Sums({ rows, notice, children }: SumsProps): ReactElement {
  return (
    <div className={styles.bill}>
      <dl className={styles.sums}>
        {rows.map(({ label, value, isTotal = false }) => (
          <div key={label} data-total={isTotal}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {notice}
      {children && <div className={styles.terms}>{children}</div>}
    </div>
  );
}
