import { type ReactElement, type ReactNode, useId } from 'react';
import styles from './filters.module.css';
import { FormButtons } from './text-filter.tsx';

interface RangeFormProps {
  /** The fields; `faultId` names the sentence that describes what is wrong with them, where something is. */
  children: (faultId: string | undefined) => ReactNode;
  /** What is wrong, in words. */
  fault: string | undefined;
  /** A line below the fields. */
  note?: ReactNode;
  onSubmit: () => void;
  onClear: () => void;
}

/** A filter with two ends: its fields, what is wrong with them, "clear" and "apply". */
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
