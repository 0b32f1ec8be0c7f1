import { useT } from '@hengfu/ui/language/i18n.ts';
import { Link } from '@tanstack/react-router';
import { productTitle } from '../../platform/boot.ts';
import { BrandMark } from '../../platform/brand-mark.tsx';
import styles from './sidebar.module.css';

/** Logo and product name at the top of the sidebar, linking to the dashboard. */
export function Brand({ isNameShown }: { isNameShown: boolean }) {
  const t = useT();
  return (
    <Link to="/dashboard" className={styles.brand} aria-label={t('shell.home', { title: productTitle })}>
      <BrandMark size={30} />
      {isNameShown && <span className={styles.brandName}>{productTitle}</span>}
    </Link>
  );
}
