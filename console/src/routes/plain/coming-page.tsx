import { Link, useMatches } from '@tanstack/react-router';
import { useT } from '../../platform/i18n.ts';
import styles from './plain-page.module.css';

/** Behind the address of a page that a later release brings: its title, that it is being built, and a way on. */
export function ComingPage() {
  const t = useT();
  const title = useMatches().at(-1)?.staticData.title;
  return (
    <div className={styles.page}>
      {title && <h1 className={styles.title}>{t(title)}</h1>}
      <p className={styles.text}>{t('shell.coming')}</p>
      <p className={styles.actions}>
        <Link className={styles.primary} to="/dashboard">
          {t('shell.toDashboard')}
        </Link>
      </p>
    </div>
  );
}
