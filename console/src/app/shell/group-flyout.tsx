import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { type PointerEvent, type ReactNode, useId, useRef, useState } from 'react';
import styles from './sidebar.module.css';

const LinkBox = onDemand(async () => (await import('@hengfu/ui/overlays/overlays.ts')).LinkBox);

/** Grace period for a mouse that crosses the gap to the box, or overshoots. */
const hideDelayMs = 200;

interface GroupFlyoutProps {
  /** Content of the button; `label` is its name for screen readers if it shows only an icon. */
  opener: ReactNode;
  label?: string;
  isActive: boolean;
  /** Position of the box relative to its button. */
  side: 'right' | 'bottom';
  className?: string | undefined;
  /** Links; choosing one closes the box. */
  children: ReactNode;
}

/** A menu button that opens a box with links on click, key press or hover. */
export function GroupFlyout({ opener, label, isActive, side, className, children }: GroupFlyoutProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const hideTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** How the box was opened; undefined while it is closed. */
  const [shownBy, setShownBy] = useState<'press' | 'hover'>();

  const stay = () => clearTimeout(hideTimer.current);
  const hide = () => {
    stay();
    setShownBy(undefined);
  };
  const hideSoon = () => {
    stay();
    hideTimer.current = setTimeout(hide, hideDelayMs);
  };
  const onMouse = (run: () => void) => (event: PointerEvent) => {
    if (event.pointerType === 'mouse') run();
  };

  return (
    <div
      className={className}
      onPointerEnter={onMouse(() => {
        stay();
        setShownBy((by) => by ?? 'hover');
      })}
      onPointerLeave={onMouse(hideSoon)}
    >
      <button
        ref={button}
        id={id}
        type="button"
        className={styles.entry}
        data-active={isActive}
        aria-label={label}
        aria-expanded={shownBy !== undefined}
        onFocus={LinkBox.prefetch}
        onClick={() => {
          stay();
          setShownBy('press');
        }}
      >
        {opener}
      </button>
      {shownBy !== undefined && (
        <LinkBox
          key={shownBy}
          button={button}
          side={side}
          className={styles.flyout}
          takesFocus={shownBy === 'press'}
          onPointer={stay}
          onLeave={hideSoon}
          onClose={hide}
        >
          {children}
        </LinkBox>
      )}
    </div>
  );
}
