import type { ComponentProps, ReactElement } from 'react';
import styles from './choice.module.css';

/** A switch for what applies at once, after its label. It is a native checkbox. */
export function Switch({
  children,
  ...rest
}: Omit<ComponentProps<'input'>, 'type' | 'role' | 'className'>): ReactElement {
  return (
    <label className={styles.switchLabel}>
      <span>{children}</span>
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox has its state; ARIA in HTML forbids aria-checked on it. */}
      <input type="checkbox" role="switch" className={styles.switch} {...rest} />
    </label>
  );
}
