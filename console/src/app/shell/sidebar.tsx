import { useT } from '../../platform/i18n.ts';
import { Brand } from './brand.tsx';
import styles from './sidebar.module.css';
import { SidebarMenu } from './sidebar-menu.tsx';

/** The sidebar of a desktop: 210 px with words, or 54 px with icons whose groups open beside them. */
export function Sidebar({ isOpen }: { isOpen: boolean }) {
  const t = useT();
  return (
    <nav className={styles.sidebar} data-open={isOpen} aria-label={t('shell.menu.label')}>
      <Brand isNameShown={isOpen} />
      <SidebarMenu isOpen={isOpen} />
    </nav>
  );
}
