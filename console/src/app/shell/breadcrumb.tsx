import { Link } from '@tanstack/react-router';
import { useT } from '../../platform/i18n.ts';
import styles from './breadcrumb.module.css';
import { usePlace } from './use-place.ts';

/** Dashboard, group, page; the last one is plain text. */
export function Breadcrumb() {
  const t = useT();
  const place = usePlace();
  if (!place) return <div className={styles.breadcrumb} />;
  const { group, page } = place;
  const isDashboard = page.path === '/dashboard';
  const isInGroup = group.children.filter((child) => !child.hidden).length > 1;
  return (
    <nav className={styles.breadcrumb} aria-label={t('shell.breadcrumb')}>
      <ol>
        {!isDashboard && (
          <li className={styles.before}>
            <Link to="/dashboard">{t('shell.menu.dashboard')}</Link>
          </li>
        )}
        {isInGroup && (
          <li className={styles.before}>
            <Link to={group.redirect ?? group.path}>{t(group.title)}</Link>
          </li>
        )}
        <li className={styles.here} aria-current="page">
          {t(page.title)}
        </li>
      </ol>
    </nav>
  );
}
