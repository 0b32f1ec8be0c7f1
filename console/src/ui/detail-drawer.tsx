import { type ReactElement, type ReactNode, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useT } from '../platform/i18n.ts';
import { IconButton } from './button.tsx';
import styles from './detail-drawer.module.css';
import { useModal } from './use-modal.ts';

interface DetailDrawerProps {
  title: string;
  onClose: () => void;
  /** Opens the row above in the list; undefined if there is none. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  children: ReactNode;
}

/**
 * The modal side panel with a row's detail; the page behind is inert and does not scroll. Not a native
 * `<dialog>`, because alerts must be able to appear above it; not antd's drawer, because it locks scrolling
 * with a style element that the content security policy blocks.
 */
export function DetailDrawer(props: DetailDrawerProps): ReactElement {
  const { title, onClose, onPrevious, onNext, children } = props;
  const t = useT();
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  useModal(panel);
  return createPortal(
    <>
      {/* biome-ignore lint/a11y: the mask is for pointers; the keyboard has Escape and the button. */}
      <div className={styles.mask} onClick={onClose} />
      <section
        ref={panel}
        role="dialog"
        aria-modal="true"
        aria-labelledby={id}
        tabIndex={-1}
        className={styles.panel}
        onKeyDown={(event) => {
          // If a popover is open inside the panel, Escape closes that first.
          if (event.key === 'Escape' && !document.querySelector(':popover-open')) onClose();
        }}
      >
        <div className={styles.head}>
          <h2 id={id}>{title}</h2>
          <IconButton
            icon="arrowUp"
            label={t('ui.previousRow')}
            disabled={!onPrevious}
            onClick={onPrevious}
          />
          <IconButton icon="arrowDown" label={t('ui.nextRow')} disabled={!onNext} onClick={onNext} />
          <IconButton icon="close" label={t('ui.close')} onClick={onClose} />
        </div>
        <div className={styles.body}>{children}</div>
      </section>
    </>,
    document.body,
  );
}
