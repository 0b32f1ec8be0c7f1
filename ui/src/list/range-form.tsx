import { type ReactElement, type ReactNode, useId } from 'react';
import styles from './filters.module.css';
import { FormButtons } from './text-filter.tsx';

interface RangeFormProps {
  /** The fields; `faultId` is the id of the error message, if there is one. */
  children: (faultId: string | undefined) => ReactNode;
  /** Error message. */
  fault: string | undefined;
  /** A line below the fields. */
  note?: ReactNode;
  onSubmit: () => void;
  onClear: () => void;
}

/** The form of a range filter: its fields, error message, "Clear" and "Apply". */
export function RangeForm({ children, fault, note, onSubmit, onClear }: RangeFormProps): ReactElement {
  const id = useId();
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children(fault === undefined ? undefined : id)}
      {fault !== undefined && (
        <p id={id} role="alert" className={styles.fault}>
          {fault}
        </p>
      )}
      {note}
      <FormButtons onClear={onClear} />
    </form>
  );
}
