import { Menu } from '@base-ui/react/menu';
import { type ReactElement, type ReactNode, type RefObject, useRef } from 'react';
import { Icon } from '../controls/icon.tsx';
import { closeOutside } from './close-outside.ts';
import styles from './menu.module.css';
import type { MenuEntry } from './menu-entry.ts';

export interface MenuPanelProps {
  label: string;
  header?: ReactNode;
  entries: readonly MenuEntry[];
  /** Where it opens: at an element, or at a point of the window. */
  anchor: RefObject<Element | null> | { getBoundingClientRect: () => DOMRect };
  /** The element that opened it, which gets the focus back. */
  opener: RefObject<HTMLElement | null>;
  align: 'start' | 'end';
  onClose: () => void;
}

/** The open menu. It stays within the window and scrolls if it is longer. */
export function MenuPanel(props: MenuPanelProps): ReactElement {
  const { label, header, entries, anchor, opener, align, onClose } = props;
  const menu = useRef<HTMLDivElement>(null);
  const hasBegun = useRef(false);
  const chosen = entries.findIndex((entry) => 'isChosen' in entry && entry.isChosen);
  const items = entries.map((entry, index) => <Item key={entry.label} entry={entry} index={index} />);
  return (
    <Menu.Root
      open
      modal={false}
      onOpenChange={closeOutside(opener, onClose)}
      onOpenChangeComplete={() => focusEntry(menu.current)}
    >
      <Menu.Portal>
        <Menu.Positioner
          anchor={anchor}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={styles.place}
        >
          <Menu.Popup
            ref={menu}
            aria-label={label}
            finalFocus={opener}
            className={styles.menu}
            onFocus={({ target, currentTarget, relatedTarget }) => {
              // Base UI focuses the menu once by itself, perhaps after the user has moved; later only if the pointer leaves.
              if (target !== currentTarget || hasBegun.current) return;
              hasBegun.current = true;
              if (relatedTarget instanceof HTMLElement && currentTarget.contains(relatedTarget))
                relatedTarget.focus();
              else focusEntry(currentTarget);
            }}
          >
            {header}
            {chosen < 0 ? items : <Menu.RadioGroup value={chosen}>{items}</Menu.RadioGroup>}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** Focuses the chosen entry, or else the first, unless the user has moved to another one already. */
function focusEntry(menu: HTMLElement | null): void {
  if (menu?.querySelector('[role^="menuitem"]:focus')) return;
  const entry =
    menu?.querySelector<HTMLElement>('[aria-checked="true"]') ??
    menu?.querySelector<HTMLElement>('[role^="menuitem"]');
  entry?.focus();
}

function Item({ entry, index }: { entry: MenuEntry; index: number }): ReactElement {
  if ('isChosen' in entry)
    return (
      <Menu.RadioItem
        value={index}
        lang={entry.lang}
        closeOnClick
        className={styles.item}
        onClick={entry.onChosen}
      >
        {entry.label}
        {entry.isChosen && <Icon name="check" size={16} />}
      </Menu.RadioItem>
    );
  const content = (
    <>
      {entry.icon && <Icon name={entry.icon} size={18} />}
      {entry.label}
    </>
  );
  if ('link' in entry)
    return (
      <Menu.LinkItem render={entry.link} closeOnClick className={styles.item}>
        {content}
      </Menu.LinkItem>
    );
  return (
    <Menu.Item className={styles.item} onClick={entry.onChosen}>
      {content}
    </Menu.Item>
  );
}
