import { type PointerEvent, type ReactNode, useId, useRef, useState } from 'react';
import styles from './sidebar.module.css';

/** A mouse that crosses the gap to the box, or overshoots, has this long to come back. */
const leaveMs = 200;
const gap = 6;

interface GroupFlyoutProps {
  /** What the button shows, and what it says to a screen reader where it shows an icon alone. */
  opener: ReactNode;
  label?: string;
  isActive: boolean;
  /** Where the box stands beside its button. */
  side: 'right' | 'below';
  className?: string | undefined;
  /** Links: choosing one closes the box. */
  children: ReactNode;
}

/** A button of the menu that opens a box with links, by click, key, or pointing at it. */
export function GroupFlyout({ opener, label, isActive, side, className, children }: GroupFlyoutProps) {
  const id = useId();
  const buttonRef = useRef<HTMLButtonElement>(null);
  const boxRef = useRef<HTMLDivElement>(null);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isShown, setShown] = useState(false);

  const show = () => {
    clearTimeout(leaving.current);
    const at = buttonRef.current?.getBoundingClientRect();
    const box = boxRef.current;
    if (!box || !at) return;
    box.showPopover();
    const left = side === 'right' ? at.right + gap : at.left;
    const widest = document.documentElement.clientWidth - box.offsetWidth - gap;
    box.style.left = `${Math.max(gap, Math.min(left, widest))}px`;
    box.style.top = `${side === 'right' ? at.top : at.bottom + gap}px`;
  };
  const hide = () => boxRef.current?.hidePopover();
  const byMouse = (act: () => void) => (event: PointerEvent) => {
    if (event.pointerType === 'mouse') act();
  };

  return (
    <div
      className={className}
      onPointerEnter={byMouse(show)}
      onPointerLeave={byMouse(() => {
        leaving.current = setTimeout(hide, leaveMs);
      })}
    >
      <button
        ref={buttonRef}
        type="button"
        className={styles.entry}
        data-active={isActive}
        aria-label={label}
        aria-expanded={isShown}
        aria-controls={id}
        onClick={show}
      >
        {opener}
      </button>
      {/* biome-ignore lint/a11y: a key press on a link is a click too. */}
      <div
        ref={boxRef}
        id={id}
        popover="auto"
        className={styles.flyout}
        onToggle={(event) => setShown(event.newState === 'open')}
        onClick={hide}
      >
        {children}
      </div>
    </div>
  );
}
