import { type ReactElement, type ReactNode, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import styles from './dialog.module.css';
import { useModal } from './use-modal.ts';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog in the middle of the page. Escape closes it. */
export function Dialog({ title, onClose, children }: DialogProps): ReactElement {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  useModal(panel);
  return createPortal(
    <div className={styles.mask}>
      <div
        ref={panel}
        role="dialog"
        aria-modal="true"
        aria-labelledby={id}
        tabIndex={-1}
        className={styles.panel}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
      >
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </div>,
    document.body,
  );
}
