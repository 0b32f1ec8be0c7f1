import type { ComponentProps, ReactElement } from 'react';
import styles from './choice.module.css';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'ref'> {
  /** Neither checked nor not: some of what it stands for is. */
  isIndeterminate?: boolean;
}

/** A native checkbox. With children, they are its label; otherwise `aria-label` names it. `className` is the box's. */
export function Checkbox({ children, ...box }: CheckboxProps): ReactElement {
  if (children === undefined) return <Box {...box} />;
  return (
    <label className={styles.label}>
      <Box {...box} />
      <span>{children}</span>
    </label>
  );
}

function Box({ isIndeterminate = false, className, ...rest }: CheckboxProps): ReactElement {
  return (
    <input
      type="checkbox"
      className={`${styles.box} ${className ?? ''}`}
      ref={(box) => {
        if (box) box.indeterminate = isIndeterminate;
      }}
      {...rest}
    />
  );
}
