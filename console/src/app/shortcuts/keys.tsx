import type { ReactElement } from 'react';
import styles from './keys.module.css';

/** Keys to press one after the other. */
export function Keys({ keys }: { keys: readonly string[] }): ReactElement {
  return (
    <span className={styles.keys}>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
