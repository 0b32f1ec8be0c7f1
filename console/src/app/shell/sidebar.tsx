import { useT } from '@hengfu/ui/language/i18n.ts';
import { usePreferences } from '@hengfu/ui/theme/preferences.ts';
import type { ReactNode } from 'react';
import type { MenuGroup } from '../menu.ts';
import { Brand } from './brand.tsx';
import { PageLinks } from './page-links.tsx';
import styles from './sidebar.module.css';
import { SidebarMenu } from './sidebar-menu.tsx';

/** The sidebar on a desktop: 210 px with names, or 54 px with icons whose groups open as flyouts. */
export function Sidebar({ groups, isOpen }: { groups: readonly MenuGroup[]; isOpen: boolean }) {
  const t = useT();
  const hasLogo = usePreferences(({ sidebarLogo }) => sidebarLogo);
  return (
    <SidebarFrame isOpen={isOpen} label={t('shell.menu.label')}>
      {hasLogo ? <Brand isNameShown={isOpen} /> : <div className={styles.headRoom} />}
      <SidebarMenu groups={groups} isOpen={isOpen} />
    </SidebarFrame>
  );
}

/** The sidebar of the layout `mix`: the pages of the group that is active in the top menu. */
export function GroupSidebar({ group, isOpen }: { group: MenuGroup; isOpen: boolean }) {
  const t = useT();
  return (
    <SidebarFrame isOpen={isOpen} label={t(group.title)}>
      {isOpen ? (
        <div className={styles.menu} data-flat="true">
          <PageLinks pages={group.children} />
        </div>
      ) : (
        <SidebarMenu groups={[group]} isOpen={false} />
      )}
    </SidebarFrame>
  );
}

function SidebarFrame({ isOpen, label, children }: { isOpen: boolean; label: string; children: ReactNode }) {
  return (
    <nav className={styles.sidebar} data-open={isOpen} aria-label={label}>
      <div className={styles.scroll}>{children}</div>
    </nav>
  );
}
