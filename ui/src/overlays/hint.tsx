import { type ReactElement, useId, useRef, useState } from 'react';
import { onDemand } from '../browser/on-demand.tsx';
import { Icon } from '../controls/icon.tsx';
import styles from './hint.module.css';

const HintBubble = onDemand(async () => (await import('./overlays.ts')).HintBubble);

/** Time for the pointer to move from the button to the text. */
const hideDelayMs = 120;

/**
 * An explanation behind an "i" button, shown on hover, focus and tap. Escape hides it, and it stays while the
 * pointer is on it (WCAG 1.4.13). `label` names what is explained.
 */
export function Hint({ label, text }: { label: string; text: string }): ReactElement {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const hideTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isShown, setShown] = useState(false);

  const show = () => {
    clearTimeout(hideTimer.current);
    setShown(true);
  };
  const hide = () => {
    clearTimeout(hideTimer.current);
    hideTimer.current = setTimeout(() => setShown(false), hideDelayMs);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-label={label}
        aria-describedby={id}
        onClick={show}
        onPointerEnter={show}
        onPointerLeave={hide}
        onFocus={show}
        onBlur={hide}
      >
        <Icon name="circleInfo" size={14} />
      </button>
      <span id={id} hidden>
        {text}
      </span>
      {isShown && (
        <HintBubble button={button} onPointer={show} onLeave={hide} onClose={() => setShown(false)}>
          {text}
        </HintBubble>
      )}
    </>
  );
}
