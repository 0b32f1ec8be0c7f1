import type { ReactElement, ReactNode } from 'react';
import { IconButton } from '../controls/button.tsx';
import { useT } from '../language/i18n.ts';
import styles from './detail-drawer.module.css';
import { Modal, ModalTitle } from './modal.tsx';

export interface DetailDrawerProps {
  title: string;
  onClose: () => void;
  /** Opens the row above in the list; undefined if there is none. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  children: ReactNode;
}

/** The panel of a detail: its title, the way to the neighbouring rows, and the content, which scrolls. */
export function DetailDrawerPanel(props: DetailDrawerProps): ReactElement {
  const { title, onClose, onPrevious, onNext, children } = props;
  const t = useT();
  return (
    <Modal panelClass={styles.panel} onClose={onClose}>
      <div className={styles.head}>
        <ModalTitle>{title}</ModalTitle>
        <IconButton icon="arrowUp" label={t('ui.previousRow')} disabled={!onPrevious} onClick={onPrevious} />
        <IconButton icon="arrowDown" label={t('ui.nextRow')} disabled={!onNext} onClick={onNext} />
        <IconButton icon="close" label={t('ui.close')} onClick={onClose} />
      </div>
      <div className={styles.body}>{children}</div>
    </Modal>
  );
}
