import type { ReactElement, ReactNode } from 'react';
import { nothing } from '../platform/format.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './fields.module.css';

/** A labeled value; `copy` adds a button that copies the text. */
export interface Field {
  label: string;
  value: ReactNode;
  copy?: string | undefined;
  /** Spans the whole width. */
  isWide?: boolean;
}

/** Labels and values in two columns, one on a phone. An absent value is a dash. */
export function Fields({ fields }: { fields: readonly Field[] }): ReactElement {
  return (
    <dl className={styles.fields}>
      {fields.map(({ label, value, copy, isWide }) => (
        <div key={label} className={isWide ? styles.wide : undefined}>
          <dt>{label}</dt>
          <dd>
            <span className={styles.value}>{value ?? nothing}</span>
            {copy !== undefined && <CopyButton text={copy} name={label} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
