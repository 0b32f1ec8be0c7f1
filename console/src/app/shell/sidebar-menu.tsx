import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useState } from 'react';
import type { MenuGroup } from '../menu.ts';
import { GroupFlyout } from './group-flyout.tsx';
import { PageLink } from './page-link.tsx';
import { PageLinks } from './page-links.tsx';
import styles from './sidebar.module.css';
import { usePlace } from './use-place.ts';

/** The pages that the user may see. Open: groups that expand independently. Closed: icons only. */
export function SidebarMenu({ groups, isOpen }: { groups: readonly MenuGroup[]; isOpen: boolean }) {
  const t = useT();
  const place = usePlace();
  return (
    <ul className={styles.menu}>
      {groups.map((group) => {
        const [only, second] = group.children;
        const isActive = place?.group.path === group.path;
        return (
          <li key={group.path}>
            {only && !second ? (
              <PageLink page={only} icon={group.icon} isNameShown={isOpen} />
            ) : isOpen ? (
              <FoldingGroup group={group} isActive={isActive} />
            ) : (
              <GroupFlyout
                side="right"
                opener={<Icon name={group.icon} size={20} />}
                label={t(group.title)}
                isActive={isActive}
              >
                <p className={styles.flyoutTitle}>{t(group.title)}</p>
                <PageLinks pages={group.children} />
              </GroupFlyout>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** A group of the open sidebar. The active group is expanded until the user collapses it. */
function FoldingGroup({ group, isActive }: { group: MenuGroup; isActive: boolean }) {
  const t = useT();
  const [userChoice, setUserChoice] = useState<boolean | undefined>();
  const [wasActive, setWasActive] = useState(isActive);
  if (isActive !== wasActive) {
    setWasActive(isActive);
    // Entering a group expands it, whatever the user chose before; leaving it changes nothing.
    setUserChoice(isActive ? undefined : (userChoice ?? true));
  }
  const isExpanded = userChoice ?? isActive;
  const listId = `menu${group.path}`;
  return (
    <>
      <button
        type="button"
        className={styles.entry}
        data-active={isActive}
        aria-expanded={isExpanded}
        aria-controls={listId}
        onClick={() => setUserChoice(!isExpanded)}
      >
        <Icon name={group.icon} size={20} />
        <span className={styles.name}>{t(group.title)}</span>
        <span className={styles.chevron}>
          <Icon name="chevronRight" size={14} />
        </span>
      </button>
      <PageLinks id={listId} hidden={!isExpanded} pages={isExpanded ? group.children : []} />
    </>
  );
}
