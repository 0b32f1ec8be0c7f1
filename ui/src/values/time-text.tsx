import type { ReactElement } from 'react';
import { formatInstant, type InstantStyle, nothing } from '../language/format.ts';
import { useLanguage } from '../language/i18n.ts';
import { useUiSettings } from '../language/ui-settings.ts';
import styles from './text.module.css';

/**
 * An instant in the user's zone; seconds and offset are shown on hover. `null` (not yet happened) is a dash.
 */
export function TimeText({
  at,
  style = 'second',
}: {
  at: string | null;
  style?: InstantStyle;
}): ReactElement {
  const language = useLanguage();
  const { zone } = useUiSettings();
  if (at === null) return <>{nothing}</>;
  return (
    <time dateTime={at} title={formatInstant(at, zone, language, 'full')} className={styles.figure}>
      {formatInstant(at, zone, language, style)}
    </time>
  );
}
