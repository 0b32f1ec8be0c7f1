import type { ReactElement, ReactNode } from 'react';
import { onDemand } from '../browser/on-demand.tsx';
import { usePopup } from './use-popup.ts';

interface PopoverProps {
  /** Content of the button. */
  opener: ReactNode;
  openerClass?: string | undefined;
  /** Accessible name of the box. */
  label: string;
  /** Accessible name of the button, if its content is not enough. */
  openerLabel?: string | undefined;
  /** The content, rendered while the box is open; `close` closes it and returns focus to the button. */
  children: (close: () => void) => ReactNode;
}

const PopoverBox = onDemand(async () => (await import('./overlays.ts')).PopoverBox);

/** A button that opens a box beside it. Escape and a press elsewhere close the box. */
export function Popover({ opener, openerClass, label, openerLabel, children }: PopoverProps): ReactElement {
  const { isOpen, setOpen, button, buttonProps } = usePopup(PopoverBox.prefetch);
  return (
    <>
      <button
        type="button"
        {...buttonProps}
        aria-haspopup="dialog"
        aria-label={openerLabel}
        className={openerClass}
      >
        {opener}
      </button>
      {isOpen && (
        <PopoverBox label={label} button={button} onClose={() => setOpen(false)}>
          {children(() => setOpen(false))}
        </PopoverBox>
      )}
    </>
  );
}
