import type { ReactNode } from 'react';
import styles from './settings-group.module.css';

interface SettingsGroupProps {
  title: string;
  hint?: string | undefined;
  children: ReactNode;
}

/** Related settings under one title. */
export function SettingsGroup({ title, hint, children }: SettingsGroupProps) {
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      {children}
      {hint && <Hint>{hint}</Hint>}
    </fieldset>
  );
}

/** A short explanation of a setting, in small type. */
export function Hint({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <span id={id} className={styles.hint}>
      {children}
    </span>
  );
}
