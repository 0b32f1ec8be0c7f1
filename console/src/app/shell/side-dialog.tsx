import { type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from './side-dialog.module.css';

interface SideDialogProps {
  label: string;
  side: 'start' | 'end';
  /** Called once it has closed: by Escape, the mask, a link inside, or the `close` that its content is given. */
  onClose: () => void;
  children: (close: () => void) => ReactNode;
}

/**
 * A dialog along a side of the window, open while it is mounted. The browser's own dialog keeps the focus inside,
 * hears Escape, and gives the focus back to what opened it.
 */
export function SideDialog({ label, side, onClose, children }: SideDialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const close = () => ref.current?.close();
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the mask is for pointers; the keyboard has Escape and the button.
    <dialog
      ref={ref}
      className={styles.dialog}
      data-side={side}
      aria-label={label}
      // What was closed and shown again at once is open.
      onClose={({ currentTarget }) => currentTarget.open || onClose()}
      onClick={({ target, currentTarget }) => {
        const isChosen = target instanceof Element && target.closest('a') !== null;
        if (isChosen || target === currentTarget) close();
      }}
    >
      {children(close)}
    </dialog>
  );
}
