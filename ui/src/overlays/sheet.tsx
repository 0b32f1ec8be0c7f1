import type { ReactElement, ReactNode } from 'react';
import { Modal, ModalTitle } from './modal.tsx';
import styles from './sheet.module.css';

interface SheetProps {
  id?: string | undefined;
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A panel along the bottom of a phone's screen. Escape and a tap above close it. */
export function Sheet({ id, title, onClose, children }: SheetProps): ReactElement {
  return (
    <Modal
      viewportClass={styles.viewport}
      panelClass={styles.sheet}
      onClose={onClose}
      panel={id === undefined ? {} : { id }}
    >
      <ModalTitle>{title}</ModalTitle>
      {children}
    </Modal>
  );
}
