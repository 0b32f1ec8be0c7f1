import { ToolButton } from '@hengfu/ui/controls/tool-button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { SideDialog } from '@hengfu/ui/overlays/side-dialog.tsx';
import { Brand } from './brand.tsx';
import styles from './sidebar-drawer.module.css';
import { SidebarMenu } from './sidebar-menu.tsx';
import type { Frame } from './use-frame.ts';

/** The sidebar on a phone: a drawer over a mask. Choosing a page closes it. */
export function SidebarDrawer({ frame }: { frame: Frame }) {
  const t = useT();
  if (!frame.isOpen) return null;
  return (
    <SideDialog side="start" label={t('shell.menu.label')} onClose={frame.close}>
      <nav className={styles.content} aria-label={t('shell.menu.label')}>
        <div className={styles.head}>
          <Brand isNameShown />
          <ToolButton icon="close" label={t('shell.closeMenu')} onClick={frame.close} />
        </div>
        <SidebarMenu groups={frame.groups} isOpen />
      </nav>
    </SideDialog>
  );
}
