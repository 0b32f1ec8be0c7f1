import { useEffect, useRef } from 'react';
import { useT } from '../../platform/i18n.ts';
import { Icon } from '../../platform/icons.tsx';
import { Brand } from './brand.tsx';
import styles from './sidebar-drawer.module.css';
import { SidebarMenu } from './sidebar-menu.tsx';
import type { Frame } from './use-frame.ts';

/**
 * The sidebar of a phone: a drawer over a mask. The browser's dialog keeps the focus inside and hears Escape; it closes
 * on a touch of the mask and on choosing a page.
 */
export function SidebarDrawer({ frame }: { frame: Frame }) {
  const t = useT();
  const ref = useRef<HTMLDialogElement>(null);
  const { isOpen, close } = frame;
  useEffect(() => {
    if (isOpen) ref.current?.showModal();
    else ref.current?.close();
  }, [isOpen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the mask is for pointers; the keyboard has Escape and the button.
    <dialog
      ref={ref}
      className={styles.drawer}
      aria-label={t('shell.menu.label')}
      onClose={() => isOpen && close()}
      onClick={(event) => {
        const chosen = event.target instanceof Element && event.target.closest('a') !== null;
        if (chosen || event.target === event.currentTarget) close();
      }}
    >
      {isOpen && (
        <nav className={styles.content} aria-label={t('shell.menu.label')}>
          <div className={styles.head}>
            <Brand isNameShown />
            <button type="button" className={styles.close} aria-label={t('shell.closeMenu')} onClick={close}>
              <Icon name="close" size={20} />
            </button>
          </div>
          <SidebarMenu isOpen />
        </nav>
      )}
    </dialog>
  );
}
