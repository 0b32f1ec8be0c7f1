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
  /** What the opener shows. */
  opener: ReactNode;
  openerClass?: string | undefined;
  /** Name of the box, and of the opener where its content is not enough. */
  label: string;
  openerLabel?: string | undefined;
  /** The content, made while the box is open; `close` closes it and gives the focus back to the opener. */
  children: (close: () => void) => ReactNode;
}

const gapPx = 4;

/**
 * A button that opens a box beside it. The browser does the layering, Escape, clicks outside and the return of the
 * focus (HTML popover); this places the box and moves the focus in.
 */
export function Popover({ opener, openerClass, label, openerLabel, children }: PopoverProps): ReactElement {
  const id = useId();
  const openerRef = useRef<HTMLButtonElement>(null);
  const boxRef = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    if (!isOpen) return;
    const follow = (event: Event) => {
      if (event.target instanceof Node && boxRef.current?.contains(event.target)) return;
      place(openerRef.current, boxRef.current);
    };
    addEventListener('scroll', follow, { capture: true, passive: true });
    addEventListener('resize', follow);
    // Content that is fetched late makes the box larger, and has the focus still to come.
    const observer = new ResizeObserver(() => {
      place(openerRef.current, boxRef.current);
      if (document.activeElement === openerRef.current) focusFirst(boxRef.current);
    });
    if (boxRef.current) observer.observe(boxRef.current);
    return () => {
      observer.disconnect();
      removeEventListener('scroll', follow, { capture: true });
      removeEventListener('resize', follow);
    };
  }, [isOpen]);

  const onBeforeToggle = ({ newState }: ToggleEvent) => {
    if (newState !== 'open') return;
    // The content must stand when the browser shows the box, or an empty one flashes.
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

/** Puts the box under its opener, or above it where there is more room, inside the window. */
function place(opener: HTMLElement | null, box: HTMLElement | null): void {
  if (!opener || !box) return;
  const at = opener.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const below = clientHeight - at.bottom;
  const isAbove = below < box.offsetHeight + 2 * gapPx && at.top > below;
  const room = (isAbove ? at.top : below) - 3 * gapPx;
  const left = Math.max(2 * gapPx, Math.min(at.left, clientWidth - box.offsetWidth - 2 * gapPx));
  box.style.left = `${left}px`;
  box.style.top = isAbove ? 'auto' : `${at.bottom + gapPx}px`;
  box.style.bottom = isAbove ? `${clientHeight - at.top + gapPx}px` : 'auto';
  box.style.maxHeight = `${room}px`;
}

/** Moves the focus into the box, unless a quick hand was there first. */
function focusFirst(box: HTMLElement | null): void {
  if (box?.contains(document.activeElement)) return;
  box?.querySelector<HTMLElement>('input, button, a[href]')?.focus();
}
