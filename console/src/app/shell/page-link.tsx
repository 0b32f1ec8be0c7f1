import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Link } from '@tanstack/react-router';
import type { MenuGroup, MenuPage } from '../menu.ts';
import { useExpectation } from '../tags/expected-page.ts';
import { useTagOf } from '../tags/tags.ts';
import { MenuBadge } from './menu-badge.tsx';
import styles from './sidebar.module.css';
import { usePlace } from './use-place.ts';

interface PageLinkProps {
  page: MenuPage;
  icon?: MenuGroup['icon'];
  isNameShown?: boolean;
}

/** A menu entry; the router marks the current page with `aria-current`. */
export function PageLink({ page, icon, isNameShown = true }: PageLinkProps) {
  const t = useT();
  const name = t(page.title);
  const currentPath = usePlace()?.page.path;
  // An open page is restored as it was left. The page on screen is reset to no filters.
  const tag = useTagOf(page.path);
  const search = page.path === currentPath ? {} : tag?.search;
  return (
    <Link
      {...useExpectation(page.path)}
      to={page.path}
      search={search ?? {}}
      className={icon ? styles.entry : styles.child}
      activeOptions={{ includeSearch: false }}
      title={isNameShown ? undefined : name}
    >
      {icon && <Icon name={icon} size={20} />}
      <span className={isNameShown ? styles.name : 'visually-hidden'}>{name}</span>
      {page.badge && <MenuBadge isCorner={!isNameShown} />}
    </Link>
  );
}
