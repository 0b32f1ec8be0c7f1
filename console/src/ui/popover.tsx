import {
  type ReactElement,
  type ReactNode,
  type ToggleEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import styles from './popover.module.css';

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

const gapPx = 4;

/**
 * A button that opens a box beside it. The browser handles layering, Escape, clicks outside and returning
 * focus (HTML popover); this component positions the box and moves focus into it.
 */
export function Popover({ opener, openerClass, label, openerLabel, children }: PopoverProps): ReactElement {
  const id = useId();
  const openerRef = useRef<HTMLButtonElement>(null);
  const boxRef = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    if (!isOpen) return;
    const reposition = (event: Event) => {
      if (event.target instanceof Node && boxRef.current?.contains(event.target)) return;
      place(openerRef.current, boxRef.current);
    };
    addEventListener('scroll', reposition, { capture: true, passive: true });
    addEventListener('resize', reposition);
    // Lazily loaded content enlarges the box, and can only then receive the focus.
    const observer = new ResizeObserver(() => {
      place(openerRef.current, boxRef.current);
      if (document.activeElement === openerRef.current) focusFirst(boxRef.current);
    });
    if (boxRef.current) observer.observe(boxRef.current);
    return () => {
      observer.disconnect();
      removeEventListener('scroll', reposition, { capture: true });
      removeEventListener('resize', reposition);
    };
  }, [isOpen]);

  const onBeforeToggle = ({ newState }: ToggleEvent) => {
    if (newState !== 'open') return;
    // Render the content before the browser shows the box, or it flashes empty.
    flushSync(() => setOpen(true));
    place(openerRef.current, boxRef.current);
  };
  const onToggle = ({ newState }: ToggleEvent) => {
    if (newState === 'open') {
      place(openerRef.current, boxRef.current);
      focusFirst(boxRef.current);
    } else setOpen(false);
  };

  return (
    <>
      <button
        ref={openerRef}
        type="button"
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={openerLabel}
        className={openerClass}
      >
        {opener}
      </button>
      <div
        ref={boxRef}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={isOpen ? label : undefined}
        className={styles.box}
        onBeforeToggle={onBeforeToggle}
        onToggle={onToggle}
      >
        {isOpen && children(() => boxRef.current?.hidePopover())}
      </div>
    </>
  );
}

/** Positions the box below the opener, or above it if there is more space, within the viewport. */
function place(opener: HTMLElement | null, box: HTMLElement | null): void {
  if (!opener || !box) return;
  const anchor = opener.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const spaceBelow = clientHeight - anchor.bottom;
  const isAbove = spaceBelow < box.offsetHeight + 2 * gapPx && anchor.top > spaceBelow;
  const maxHeight = (isAbove ? anchor.top : spaceBelow) - 3 * gapPx;
  const left = Math.max(2 * gapPx, Math.min(anchor.left, clientWidth - box.offsetWidth - 2 * gapPx));
  box.style.left = `${left}px`;
  box.style.top = isAbove ? 'auto' : `${anchor.bottom + gapPx}px`;
  box.style.bottom = isAbove ? `${clientHeight - anchor.top + gapPx}px` : 'auto';
  box.style.maxHeight = `${maxHeight}px`;
}

/** Moves the focus into the box, unless the user has already done so. */
function focusFirst(box: HTMLElement | null): void {
  if (box?.contains(document.activeElement)) return;
  box?.querySelector<HTMLElement>('input, button, a[href]')?.focus();
}
