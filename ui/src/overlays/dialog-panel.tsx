import type { ReactElement, ReactNode } from 'react';
import styles from './dialog.module.css';
import { Modal, ModalTitle } from './modal.tsx';

export interface DialogProps {
  title: string;
  /** ID of the text that says what it is about. */
  describedBy?: string;
  /** True: wider, for a form with much to choose from. */
  isWide?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The panel of a dialog. */
export function DialogPanel({
  title,
  describedBy,
  isWide = false,
  onClose,
  children,
}: DialogProps): ReactElement {
  return (
    <Modal
      describedBy={describedBy}
      viewportClass={styles.viewport}
      panelClass={styles.panel}
      panel={{ 'data-wide': isWide }}
      onClose={onClose}
      isKept
    >
      <ModalTitle>{title}</ModalTitle>
      {children}
    </Modal>
  );
}
