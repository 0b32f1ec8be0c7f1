import type { ReactElement, ReactNode } from 'react';
import styles from './sums.module.css';

/** Figures under each other, as on a bill: the last one is what the others come to. `children` stand below, smaller. */
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

/** A form and what belongs beside it; under each other where there is no room. */
export function Beside({ children }: { children: ReactNode }): ReactElement {
  return <div className={styles.beside}>{children}</div>;
}
