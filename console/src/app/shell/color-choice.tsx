import { useT } from '@hengfu/ui/language/i18n.ts';
import { setPreference, usePreferences } from '@hengfu/ui/theme/preferences.ts';
import { defaultThemeColor } from '@hengfu/ui/theme/theme.ts';
import { useEffect, useRef } from 'react';
import styles from './color-choice.module.css';
import { SettingsGroup } from './settings-group.tsx';

const swatches = [
  defaultThemeColor,
  '#5B6CF0',
  '#8F5BD6',
  '#D6457F',
  '#D9542B',
  '#C98A00',
  '#2E9E5B',
  '#0F9AA8',
];

/** Eight preset colors and a color picker. Any choice is adapted for contrast (platform/theme.ts). */
export function ColorChoice() {
  const t = useT();
  const chosen = usePreferences(({ themeColor }) => themeColor);
  const isChosen = (color: string) => color.toLowerCase() === chosen.toLowerCase();
  return (
    <SettingsGroup title={t('shell.settings.color')}>
      <div className={styles.swatches}>
        {swatches.map((color) => (
          <Swatch key={color} color={color} isChosen={isChosen(color)} />
        ))}
        <label className={styles.ownColor}>
          <input
            type="color"
            value={chosen.toLowerCase()}
            onChange={({ target }) => setPreference('themeColor', target.value)}
          />
          {t('shell.settings.ownColor')}
        </label>
      </div>
    </SettingsGroup>
  );
}

function Swatch({ color, isChosen }: { color: string; isChosen: boolean }) {
  const ref = useRef<HTMLInputElement>(null);
  // Set by script, because the content security policy blocks style attributes.
  useEffect(() => ref.current?.style.setProperty('--swatch', color), [color]);
  return (
    <input
      ref={ref}
      type="radio"
      name="theme-color"
      className={styles.swatch}
      aria-label={color}
      title={color}
      checked={isChosen}
      onChange={() => setPreference('themeColor', color)}
    />
  );
}
