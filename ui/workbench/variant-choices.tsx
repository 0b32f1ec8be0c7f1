import type { ReactElement } from 'react';
import { Select } from '../src/controls/select.tsx';
import { languages, setLanguage, useLanguage } from '../src/language/i18n.ts';
import { setPreference, usePreferences } from '../src/theme/preferences.ts';
import styles from './workbench.module.css';

/** How a scene is shown, besides what the user's preferences hold. */
export interface Variant {
  width: string;
  direction: string;
}

interface VariantChoicesProps {
  variant: Variant;
  onChange: (variant: Variant) => void;
}

/** The choices above a scene. Theme, size and language are stored as in an app, so a scene reads them by itself. */
export function VariantChoices({ variant, onChange }: VariantChoicesProps): ReactElement {
  const { theme, size } = usePreferences();
  const language = useLanguage();
  const reload = () => onChange({ ...variant });
  return (
    <div className={styles.choices}>
      <Choice
        label="Width"
        values={['100%', '390px', '768px']}
        value={variant.width}
        onChange={(width) => onChange({ ...variant, width })}
      />
      <Choice
        label="Direction"
        values={['ltr', 'rtl']}
        value={variant.direction}
        onChange={(direction) => onChange({ ...variant, direction })}
      />
      <Choice
        label="Theme"
        values={['light', 'dark', 'system'] as const}
        value={theme}
        onChange={(chosen) => {
          setPreference('theme', chosen);
          location.reload();
        }}
      />
      <Choice
        label="Size"
        values={['default', 'large', 'small'] as const}
        value={size}
        onChange={(chosen) => {
          setPreference('size', chosen);
          location.reload();
        }}
      />
      <Choice
        label="Language"
        values={languages}
        value={language}
        onChange={(chosen) => void setLanguage(chosen).then(reload)}
      />
    </div>
  );
}

interface ChoiceProps<V extends string> {
  label: string;
  values: readonly V[];
  value: V;
  onChange: (value: V) => void;
}

function Choice<V extends string>({ label, values, value, onChange }: ChoiceProps<V>): ReactElement {
  return (
    <label>
      {label}{' '}
      <Select
        value={value}
        onChange={({ target }) => {
          const chosen = values.find((candidate) => candidate === target.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {values.map((candidate) => (
          <option key={candidate}>{candidate}</option>
        ))}
      </Select>
    </label>
  );
}
