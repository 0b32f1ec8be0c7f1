import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode, RefObject } from 'react';
import { closeOutside } from './close-outside.ts';
import styles from './hint.module.css';

interface HintBubbleProps {
  button: RefObject<HTMLButtonElement | null>;
  /** The pointer is on the text. */
  onPointer: () => void;
  onLeave: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** The text of a hint, above its button where there is room. */
export function HintBubble({ button, onPointer, onLeave, onClose, children }: HintBubbleProps): ReactElement {
  return (
    <Tooltip.Root open onOpenChange={closeOutside(button, onClose)}>
      <Tooltip.Portal>
        <Tooltip.Positioner anchor={button} sideOffset={6} collisionPadding={8} className={styles.place}>
          <Tooltip.Popup
            role="tooltip"
            className={styles.bubble}
            onPointerEnter={onPointer}
            onPointerLeave={onLeave}
          >
            {children}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
