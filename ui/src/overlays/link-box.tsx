import { Popover } from '@base-ui/react/popover';
import type { ReactElement, ReactNode, RefObject } from 'react';
import { closeOutside } from './close-outside.ts';
import styles from './link-box.module.css';

interface LinkBoxProps {
  button: RefObject<HTMLButtonElement | null>;
  className?: string | undefined;
  side: 'right' | 'bottom';
  /** Whether focus moves into the box; not if the pointer alone has opened it. */
  takesFocus: boolean;
  /** The pointer is on the box. */
  onPointer: () => void;
  onLeave: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A box with links beside its button. Choosing one closes the box. */
export function LinkBox(props: LinkBoxProps): ReactElement {
  const { button, className, side, takesFocus, onPointer, onLeave, onClose, children } = props;
  return (
    <Popover.Root open onOpenChange={closeOutside(button, onClose)}>
      <Popover.Portal>
        <Popover.Positioner
          anchor={button}
          side={side}
          align="start"
          sideOffset={6}
          collisionPadding={6}
          className={styles.place}
        >
          <Popover.Popup
            // Not a dialog, but a part of the navigation that its button names.
            render={<nav />}
            role="navigation"
            aria-labelledby={button.current?.id}
            className={`${styles.box} ${className ?? ''}`}
            initialFocus={takesFocus}
            finalFocus={takesFocus ? button : false}
            onPointerEnter={onPointer}
            onPointerLeave={onLeave}
            onClick={({ target }) => {
              if (target instanceof Element && target.closest('a')) onClose();
            }}
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
