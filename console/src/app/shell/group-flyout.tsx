import { type PointerEvent, type ReactNode, useId, useRef, useState } from 'react';
import styles from './sidebar.module.css';

/** Grace period for a mouse that crosses the gap to the box, or overshoots. */
const hideDelayMs = 200;
const gapPx = 6;

interface GroupFlyoutProps {
  /** Content of the button; `label` is its name for screen readers if it shows only an icon. */
  opener: ReactNode;
  label?: string;
  isActive: boolean;
  /** Position of the box relative to its button. */
  side: 'right' | 'below';
  className?: string | undefined;
  /** Links; choosing one closes the box. */
  children: ReactNode;
}

/** A menu button that opens a box with links on click, key press or hover. */
export function GroupFlyout({ opener, label, isActive, side, className, children }: GroupFlyoutProps) {
  const id = useId();
  const buttonRef = useRef<HTMLButtonElement>(null);
  const boxRef = useRef<HTMLDivElement>(null);
  const hideTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isShown, setShown] = useState(false);

  const show = () => {
    clearTimeout(hideTimer.current);
    const button = buttonRef.current?.getBoundingClientRect();
    const box = boxRef.current;
    if (!box || !button) return;
    box.showPopover();
    const left = side === 'right' ? button.right + gapPx : button.left;
    const maxLeft = document.documentElement.clientWidth - box.offsetWidth - gapPx;
    box.style.left = `${Math.max(gapPx, Math.min(left, maxLeft))}px`;
    box.style.top = `${side === 'right' ? button.top : button.bottom + gapPx}px`;
  };
  const hide = () => boxRef.current?.hidePopover();
  const onMouse = (run: () => void) => (event: PointerEvent) => {
    if (event.pointerType === 'mouse') run();
  };

  return (
    <div
      className={className}
      onPointerEnter={onMouse(show)}
      onPointerLeave={onMouse(() => {
        hideTimer.current = setTimeout(hide, hideDelayMs);
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
      {/* biome-ignore lint/a11y: pressing Enter on a link fires a click too. */}
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
