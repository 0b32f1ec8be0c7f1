import { useT } from '@hengfu/ui/language/i18n.ts';
import { Link } from '@tanstack/react-router';
import { useUser } from '../../platform/session-store.ts';
import { menu } from '../menu.ts';
import { stepsTo } from '../menu-rules.ts';
import styles from './breadcrumb.module.css';
import { usePlace } from './use-place.ts';

/** Dashboard, group, page; the last one is plain text. Links lead only to pages that the user may open. */
export function Breadcrumb() {
  const t = useT();
  const user = useUser();
  const place = usePlace();
  if (!place) return <div className={styles.breadcrumb} />;
  return (
    <nav className={styles.breadcrumb} aria-label={t('shell.breadcrumb')}>
      <ol>
        {stepsTo(menu, place, user).map(({ title, path }) => (
          <li key={path} className={styles.before}>
            <Link to={path}>{t(title)}</Link>
          </li>
        ))}
        <li className={styles.here} aria-current="page">
          {t(place.page.title)}
        </li>
      </ol>
    </nav>
  );
}
