import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { MenuGroup } from '../menu.ts';
import { GroupFlyout } from './group-flyout.tsx';
import { PageLink } from './page-link.tsx';
import { PageLinks } from './page-links.tsx';
import styles from './top-menu.module.css';
import { useOverflow } from './use-overflow.ts';

interface TopMenuProps {
  groups: readonly MenuGroup[];
  activePath: string | undefined;
  /** True (layout `top`): groups open their pages below. False (`mix`): they link to their first page. */
  opensGroups: boolean;
}

/** The menu in the top bar. Groups that do not fit move under "More". */
export function TopMenu({ groups, activePath, opensGroups }: TopMenuProps) {
  const t = useT();
  const strip = useRef<HTMLUListElement>(null);
  const fitting = useOverflow(strip, groups.length);
  const rest = groups.slice(fitting);
  return (
    <nav className={styles.top} aria-label={t('shell.menu.label')}>
      <ul ref={strip}>
        {groups.map((group, index) => (
          <li key={group.path} data-hidden={index >= fitting}>
            <TopEntry group={group} isActive={group.path === activePath} opensGroup={opensGroups} />
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <GroupFlyout
          side="bottom"
          className={`${styles.entry} ${styles.more}`}
          opener={
            <>
              {t('shell.moreEntries')}
              <Icon name="chevronRight" size={14} />
            </>
          }
          isActive={rest.some((group) => group.path === activePath)}
        >
          {rest.map((group) => (
            <section key={group.path} aria-label={t(group.title)}>
              {group.children.length > 1 && <p className={styles.groupTitle}>{t(group.title)}</p>}
              <PageLinks pages={group.children} />
            </section>
          ))}
        </GroupFlyout>
      )}
    </nav>
  );
}

function TopEntry({
  group,
  isActive,
  opensGroup,
}: {
  group: MenuGroup;
  isActive: boolean;
  opensGroup: boolean;
}) {
  const t = useT();
  const [first, second] = group.children;
  if (!first) return null;
  if (!second)
    return (
      <div className={styles.entry}>
        <PageLink page={first} icon={group.icon} />
      </div>
    );
  const name = (
    <>
      <Icon name={group.icon} size={18} />
      {t(group.title)}
    </>
  );
  if (opensGroup)
    return (
      <GroupFlyout side="bottom" className={styles.entry} opener={name} isActive={isActive}>
        <PageLinks pages={group.children} />
      </GroupFlyout>
    );
  return (
    <Link
      to={first.path}
      className={styles.group}
      data-active={isActive}
      aria-current={isActive ? 'true' : undefined}
    >
      {name}
    </Link>
  );
}
