import type { ComponentProps, ReactElement } from 'react';
import { Icon } from './icon.tsx';
import styles from './select.module.css';

interface SelectProps extends Omit<ComponentProps<'select'>, 'multiple' | 'size'> {
  /** `field` is as high as a form's fields, `control` as a button; `plain` has no border. */
  look?: 'field' | 'control' | 'plain';
}

/** A native choice among up to ten; more are a combobox. Its label is the caller's. */
export function Select({ look = 'control', ...rest }: SelectProps): ReactElement {
  return (
    <span className={styles.select} data-look={look}>
      <select {...rest} />
      <Icon name="chevronDown" />
    </span>
  );
}
