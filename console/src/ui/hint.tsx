import { type ReactElement, useId, useRef } from 'react';
import styles from './hint.module.css';
import { Icon } from './icon.tsx';

const gapPx = 6;
const edgePx = 8;

/**
 * An explanation behind an "i" button, shown on hover, focus and tap. Escape hides it, and it stays while the
 * pointer is on it (WCAG 1.4.13). `label` names what is explained.
 */
export function Hint({ label, text }: { label: string; text: string }): ReactElement {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const bubble = useRef<HTMLSpanElement>(null);
  const hideTimer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const show = () => {
    clearTimeout(hideTimer.current);
    bubble.current?.showPopover();
    place(button.current, bubble.current);
  };
  const hide = () => {
    hideTimer.current = setTimeout(() => bubble.current?.hidePopover(), 120);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer may move from the button to the text.
    <span onMouseEnter={show} onMouseLeave={hide}>
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-label={label}
        aria-describedby={id}
        onClick={show}
        onFocus={show}
        onBlur={hide}
        onKeyDown={(event) => event.key === 'Escape' && bubble.current?.hidePopover()}
      >
        <Icon name="circleInfo" size={14} />
      </button>
      <span ref={bubble} id={id} popover="manual" role="tooltip" className={styles.bubble}>
        {text}
      </span>
    </span>
  );
}

function place(button: HTMLElement | null, bubble: HTMLElement | null): void {
  if (!button || !bubble) return;
  const anchor = button.getBoundingClientRect();
  const maxLeft = document.documentElement.clientWidth - bubble.offsetWidth - edgePx;
  const centered = anchor.left + anchor.width / 2 - bubble.offsetWidth / 2;
  const above = anchor.top - bubble.offsetHeight - gapPx;
  bubble.style.left = `${Math.max(edgePx, Math.min(centered, maxLeft))}px`;
  bubble.style.top = `${above >= edgePx ? above : anchor.bottom + gapPx}px`;
}
