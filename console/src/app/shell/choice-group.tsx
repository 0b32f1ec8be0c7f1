import { type ReactNode, useId } from 'react';
import styles from './choice-group.module.css';
import { SettingsGroup } from './settings-group.tsx';

interface ChoiceGroupProps<T extends string> {
  title: string;
  value: T;
  choices: readonly { value: T; label: string; picture: ReactNode }[];
  onChange: (value: T) => void;
  hint?: string;
}

/** Radio buttons shown as cards with a picture. */
export function ChoiceGroup<T extends string>({
  title,
  value,
  choices,
  onChange,
  hint,
}: ChoiceGroupProps<T>) {
  const name = useId();
  return (
    <SettingsGroup title={title} hint={hint}>
      <div className={styles.cards}>
        {choices.map((choice) => (
          <label key={choice.value} className={styles.card}>
            <input
              type="radio"
              name={name}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            {choice.picture}
            {choice.label}
          </label>
        ))}
      </div>
    </SettingsGroup>
  );
}
