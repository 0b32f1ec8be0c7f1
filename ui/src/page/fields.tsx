import type { ReactElement, ReactNode } from 'react';
import { CopyButton } from '../controls/copy-button.tsx';
import { nothing } from '../language/format.ts';
import { Hint } from '../overlays/hint.tsx';
import styles from './fields.module.css';

/** A labeled value; `copy` adds a button that copies the text. */
export interface Field {
  label: string;
  value: ReactNode;
  copy?: string | undefined;
  /** An explanation of the value, behind an "i" button beside the label. */
  hint?: string | undefined;
  /** Spans the whole width. */
  isWide?: boolean;
}

interface FieldsProps {
  fields: readonly Field[];
  /** One line per field, for a dialog, which is as narrow as a phone. */
  isNarrow?: boolean;
}

/** Labels and values in two columns, one on a phone. An absent value is a dash. */
export function Fields({ fields, isNarrow = false }: FieldsProps): ReactElement {
  return (
    <dl className={styles.fields} data-narrow={isNarrow}>
      {fields.map(({ label, value, copy, hint, isWide }) => (
        <div key={label} className={isWide ? styles.wide : undefined}>
          <dt>
            {label}
            {hint && (
              <>
                {' '}
                <Hint label={label} text={hint} />
              </>
            )}
          </dt>
          <dd>
            <span className={styles.value}>{value ?? nothing}</span>
            {copy !== undefined && <CopyButton text={copy} name={label} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
