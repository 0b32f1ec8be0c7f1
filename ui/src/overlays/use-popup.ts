import { type RefObject, useRef, useState } from 'react';

/** A button and whether what it opens is open. */
export interface PopupButton {
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
  button: RefObject<HTMLButtonElement | null>;
  /** Attributes of the button. */
  buttonProps: {
    ref: RefObject<HTMLButtonElement | null>;
    'aria-expanded': boolean;
    onClick: () => void;
    onPointerEnter: () => void;
    onFocus: () => void;
  };
}

/** Opens and closes a popup by its button. `prefetch` runs as soon as the button is pointed at or focused. */
export function usePopup(prefetch: () => void): PopupButton {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return {
    isOpen,
    setOpen,
    button,
    buttonProps: {
      ref: button,
      'aria-expanded': isOpen,
      onClick: () => setOpen(!isOpen),
      onPointerEnter: prefetch,
      onFocus: prefetch,
    },
  };
}
