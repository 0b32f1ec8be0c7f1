import type { ReactElement, ReactNode } from 'react';
import styles from './apply-layout.module.css';

interface ApplyLayoutProps {
  /** The form, in a card. */
  form: ReactNode;
  /** The totals, and what helps with the form. On a wide screen they stay in view beside it. */
  aside: ReactNode;
  /** Below the form, such as the latest orders. */
  more?: ReactNode;
}

/** The layout of a page that submits an order: two columns on a wide screen, one on others. */
export function ApplyLayout({ form, aside, more }: ApplyLayoutProps): ReactElement {
  return (
    <div className={styles.layout}>
      <div className={styles.form}>{form}</div>
      <div className={styles.aside}>{aside}</div>
      {more && <div className={styles.more}>{more}</div>}
    </div>
  );
}

/** Fields that belong together: side by side on a wide screen, below each other on others. */
export function FieldGrid({ children }: { children: ReactNode }): ReactElement {
  return <div className={styles.grid}>{children}</div>;
}

interface SubmitSumProps {
  label: string;
  /** The total; undefined while it is not known. */
  value: ReactNode;
}

/** The total above the submit button, where the totals are not beside the form. */
export function SubmitSum({ label, value }: SubmitSumProps): ReactElement {
  return (
    <p className={styles.submitSum}>
      <span>{label}</span>
      <strong>{value}</strong>
    </p>
  );
}
