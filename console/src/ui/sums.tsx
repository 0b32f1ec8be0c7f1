import type { ReactElement, ReactNode } from 'react';
import styles from './sums.module.css';

/** Amounts below each other as on a bill, the total last. `children` follow in small type. */
export function Sums({
  rows,
  children,
}: {
  rows: readonly { label: string; value: ReactNode }[];
  children?: ReactNode;
}): ReactElement {
  return (
    <>
      <dl className={styles.sums}>
        {rows.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.terms}>{children}</div>
    </>
  );
}

/** A form and a side panel, stacked on narrow screens. */
export function SideBySide({ children }: { children: ReactNode }): ReactElement {
  return <div className={styles.beside}>{children}</div>;
}
