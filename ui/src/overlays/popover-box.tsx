import { Popover } from '@base-ui/react/popover';
import type { ReactElement, ReactNode, RefObject } from 'react';
import { closeOutside } from './close-outside.ts';
import styles from './popover.module.css';

interface PopoverBoxProps {
  id?: string;
  label: string;
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
  children: ReactNode;
}

/** The open box of a popover, beside its button and within the window. */
export function PopoverBox({ id, label, button, onClose, children }: PopoverBoxProps): ReactElement {
  return (
    <Popover.Root open onOpenChange={closeOutside(button, onClose)}>
      <Popover.Portal>
        <Popover.Positioner
          anchor={button}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className={styles.place}
        >
          <Popover.Popup
            ref={focusLateContent}
            id={id}
            aria-label={label}
            finalFocus={button}
            className={styles.box}
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Content that arrives later, such as a calendar, takes the focus that waits on the box. */
function focusLateContent(box: HTMLElement | null): (() => void) | undefined {
  if (!box) return undefined;
  const observer = new MutationObserver(() => {
    if (document.activeElement === box) box.querySelector<HTMLElement>('input, button, a[href]')?.focus();
  });
  observer.observe(box, { childList: true, subtree: true });
  // Only the first focus is ours to give.
  const onFocus = ({ target }: FocusEvent) => {
    if (target !== box) observer.disconnect();
  };
  box.addEventListener('focusin', onFocus);
  return () => {
    observer.disconnect();
    box.removeEventListener('focusin', onFocus);
  };
}
