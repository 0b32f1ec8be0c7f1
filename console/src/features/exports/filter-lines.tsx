import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { type FilteredExport, useFilterLines } from './export-filters.ts';
import styles from './exports.module.css';

/** Shows the filters of an export, or that it has none. */
export function FilterLines({ of }: { of: FilteredExport }): ReactElement {
  const t = useT();
  const lines = useFilterLines()(of);
  return (
    <span className={styles.lines}>
      {lines.length === 0 && <span className={styles.reason}>{t('exports.unfiltered')}</span>}
      {lines.map((line) => (
        <span key={line} className={styles.reason}>
          {line}
        </span>
      ))}
    </span>
  );
}
