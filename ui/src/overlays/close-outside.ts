import type { RefObject } from 'react';

/** Base UI’s reason to close a popup, and the event behind it. */
interface Closing {
  readonly reason: string;
  readonly event: Event;
  cancel(): void;
}

/**
 * Calls `onClose` when Base UI wants to close a popup, except by a press on the popup's own button: the button closes it
 * by itself, and would open it again.
 */
export function closeOutside(
  button: RefObject<Element | null>,
  onClose: () => void,
): (isOpen: boolean, closing: Closing) => void {
  return (isOpen, closing) => {
    if (isOpen) return;
    const { reason, event } = closing;
    const next = event instanceof FocusEvent ? event.relatedTarget : event.target;
    const isOnButton = next instanceof Node && button.current?.contains(next) === true;
    if (isOnButton && (reason === 'outside-press' || reason === 'focus-out')) closing.cancel();
    else onClose();
  };
}
