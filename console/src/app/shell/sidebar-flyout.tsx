import { type PointerEvent, useId, useRef, useState } from 'react';
import { useT } from '../../platform/i18n.ts';
import { Icon } from '../../platform/icons.tsx';
import type { MenuGroup } from '../menu.ts';
import { PageLink } from './page-link.tsx';
import styles from './sidebar.module.css';

/** A mouse that crosses the gap to the box, or overshoots, has this long to come back. */
const leaveMs = 200;

/** A group of the closed sidebar: its icon opens a box with its pages, by click, key, or pointing at it. */
export function SidebarFlyout({ group, isActive }: { group: MenuGroup; isActive: boolean }) {
  const t = useT();
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
    box.style.left = `${at.right + 6}px`;
    box.style.top = `${at.top}px`;
    box.showPopover();
  };
  const hide = () => boxRef.current?.hidePopover();
  const byMouse = (act: () => void) => (event: PointerEvent) => {
    if (event.pointerType === 'mouse') act();
  };

  return (
    <div
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
        aria-label={t(group.title)}
        aria-expanded={isShown}
        aria-controls={id}
        onClick={show}
      >
        <Icon name={group.icon} size={20} />
      </button>
      <div
        ref={boxRef}
        id={id}
        popover="auto"
        className={styles.flyout}
        onToggle={(event) => setShown(event.newState === 'open')}
      >
        <p className={styles.flyoutTitle}>{t(group.title)}</p>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key press on a link is a click too. */}
        <ul onClick={hide}>
          {group.children.map((page) => (
            <li key={page.path}>
              <PageLink page={page} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
