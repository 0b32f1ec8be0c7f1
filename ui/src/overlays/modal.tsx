import { Dialog } from '@base-ui/react/dialog';
import { type ComponentProps, type ReactElement, type ReactNode, useRef } from 'react';
import styles from './modal.module.css';

interface ModalProps {
  /** Accessible name; a `<ModalTitle>` inside is the other way to give one. */
  label?: string;
  /** ID of the text that says what the panel is about: read with its name, since the focus goes to the first field. */
  describedBy?: string | undefined;
  /** Where the panel stands. */
  viewportClass?: string | undefined;
  panelClass?: string | undefined;
  /** Called by Escape and, unless `isKept`, by a press beside the panel. */
  onClose: () => void;
  /** A press beside the panel does not close it: what was typed would be lost. */
  isKept?: boolean;
  /** Attributes of the panel. */
  panel?: Pick<ComponentProps<'div'>, 'id' | 'onClick' | 'onKeyDown'> & {
    'data-side'?: string;
    'data-wide'?: boolean;
  };
  children: ReactNode;
}

/**
 * A modal panel above the page, open while it is mounted. The page behind cannot be reached or scrolled. Focus goes to the
 * first field, or else to the panel, and returns afterwards.
 */
export function Modal(props: ModalProps): ReactElement {
  const { label, describedBy, viewportClass, panelClass, onClose, isKept = false, panel, children } = props;
  const ref = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || onClose()} disablePointerDismissal={isKept}>
      <Dialog.Portal>
        {/* A stacked panel darkens the one below. */}
        <Dialog.Backdrop className={styles.backdrop} forceRender />
        <Dialog.Viewport className={viewportClass}>
          <Dialog.Popup
            ref={ref}
            {...panel}
            aria-modal="true"
            aria-label={label}
            aria-describedby={describedBy}
            className={panelClass}
            initialFocus={() => ref.current?.querySelector<HTMLElement>(firstField) ?? ref.current}
          >
            {children}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Where the user goes on: a field that is filled in already is none. */
const firstField = '[autofocus], input:not([type=hidden], [readonly]), textarea:not([readonly])';

/** The panel's heading, which names it. */
export const ModalTitle = Dialog.Title;
