import { type ComponentProps, type ReactElement, type ReactNode, useId } from 'react';
import styles from './choice.module.css';

/** A native radio button with its label. */
export function Radio({
  children,
  ...rest
}: Omit<ComponentProps<'input'>, 'type' | 'className'>): ReactElement {
  return (
    <label className={styles.label}>
      <input type="radio" className={styles.box} {...rest} />
      <span>{children}</span>
    </label>
  );
}

interface RadioGroupProps<V extends string> {
  label: string;
  choices: readonly { value: V; label: ReactNode; isDisabled?: boolean }[];
  /** Field name in a form. */
  name?: string;
  /** The chosen one; with `defaultValue` instead, the group keeps it by itself. */
  value?: V;
  defaultValue?: V;
  onChange?: (value: V) => void;
  /** Beside each other as far as they fit. */
  isRow?: boolean;
  hint?: string;
}

/** A choice of one among a few, all of which are shown. */
export function RadioGroup<V extends string>(props: RadioGroupProps<V>): ReactElement {
  const { label, choices, name, value, defaultValue, onChange, isRow = false, hint } = props;
  const id = useId();
  return (
    <fieldset
      className={styles.group}
      data-row={isRow}
      aria-describedby={hint === undefined ? undefined : `${id}-hint`}
    >
      <legend>{label}</legend>
      <div className={styles.choices}>
        {choices.map((choice) => (
          <Radio
            key={choice.value}
            name={name ?? id}
            value={choice.value}
            {...(defaultValue === undefined
              ? { checked: choice.value === value }
              : { defaultChecked: choice.value === defaultValue })}
            disabled={choice.isDisabled}
            onChange={() => onChange?.(choice.value)}
          >
            {choice.label}
          </Radio>
        ))}
      </div>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}
