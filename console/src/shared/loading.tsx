import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import styles from './loading.module.css';

/** Holds the place of a page's first card while its data loads. Invisible for the first moment, because most replies are quick. */
export function Loading(): ReactElement {
  const t = useT();
  return (
    <div className={styles.card} role="status">
      <span className="visually-hidden">{t('ui.loading')}</span>
      <span className={styles.title} />
      <span className={styles.line} />
      <span className={styles.line} />
      <span className={styles.line} />
    </div>
  );
}
