import type { ReactElement, ReactNode } from 'react';
import { Modal } from './modal.tsx';
import styles from './side-dialog.module.css';

export interface SideDialogProps {
  label: string;
  side: 'start' | 'end';
  /** Called by Escape, a press beside the panel, or a link inside. */
  onClose: () => void;
  children: ReactNode;
}

/** The panel of a side dialog. Choosing a link in it closes it. */
export function SideDialogPanel({ label, side, onClose, children }: SideDialogProps): ReactElement {
  return (
    <Modal
      label={label}
      panelClass={styles.panel}
      onClose={onClose}
      panel={{
        'data-side': side,
        onClick: ({ target }) => {
          if (target instanceof Element && target.closest('a')) onClose();
        },
      }}
    >
      {children}
    </Modal>
  );
}
