import type { ReactElement } from 'react';
import { formatCount } from '../language/format.ts';
import { useLanguage } from '../language/i18n.ts';
import styles from './text.module.css';

/** A whole number with the language's grouping, in tabular digits. */
export function Count({ of }: { of: number }): ReactElement {
  const language = useLanguage();
  return <span className={styles.figure}>{formatCount(of, language)}</span>;
}
