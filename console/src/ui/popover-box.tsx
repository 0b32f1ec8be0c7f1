import { Popover } from '@base-ui/react/popover';
import { type ReactElement, type ReactNode, type RefObject, useEffect, useRef } from 'react';
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
  const box = useRef<HTMLDivElement>(null);
  useFocusOfLateContent(box);
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
          <Popover.Popup ref={box} id={id} aria-label={label} finalFocus={button} className={styles.box}>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Content that arrives later, such as a calendar, takes the focus that waits on the box. */
function useFocusOfLateContent(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const observer = new MutationObserver(() => {
      if (document.activeElement !== box.current) return;
      box.current?.querySelector<HTMLElement>('input, button, a[href]')?.focus();
    });
    if (box.current) observer.observe(box.current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [box]);
}
