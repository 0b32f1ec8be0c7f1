import { type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from './side-dialog.module.css';

interface SideDialogProps {
  label: string;
  side: 'start' | 'end';
  /** Called after closing: by Escape, the mask, a link inside, or the `close` passed to the content. */
  onClose: () => void;
  children: (close: () => void) => ReactNode;
}

/**
 * A dialog along a side of the window, open while it is mounted. The native `<dialog>` traps focus, handles
 * Escape, and returns focus to the element that opened it.
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
      // Ignore the event if the dialog has been reopened since.
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
