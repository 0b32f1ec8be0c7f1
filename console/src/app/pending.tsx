import { useT } from '@hengfu/ui/language/i18n.ts';
import styles from './pending.module.css';

/** Spinner shown while a page is slow to load. */
export function Pending() {
  const t = useT();
  return (
    <div className={styles.pending} role="status">
      <span className={styles.spinner} />
      <span className="visually-hidden">{t('shell.loading')}</span>
    </div>
  );
}
