import type { ReactNode } from 'react';
import styles from './settings-group.module.css';

interface SettingsGroupProps {
  title: string;
  hint?: string | undefined;
  children: ReactNode;
}

/** Settings that belong together, under one title. */
export function SettingsGroup({ title, hint, children }: SettingsGroupProps) {
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      {children}
      {hint && <Hint>{hint}</Hint>}
    </fieldset>
  );
}

/** What a setting means, in small. */
export function Hint({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <span id={id} className={styles.hint}>
      {children}
    </span>
  );
}
