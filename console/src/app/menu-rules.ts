import type { CurrentUser } from '@hengfu/contract/session';
import { hasPerm } from '../platform/session-store.ts';
import type { MenuGroup, MenuPage } from './menu.ts';

/**
 * Whether a user may open a page: one role in common (ROOT has all), and any one of the page's permissions
 * (specification, point 6).
 */
export function isPermitted(page: Pick<MenuPage, 'roles' | 'perms'>, user: CurrentUser): boolean {
  if (user.roles.includes('ROOT')) return true;
  const hasRole = page.roles.some((role) => user.roles.includes(role));
  return hasRole && (page.perms === undefined || hasPerm(user, ...page.perms));
}

/** The menu as a user sees it: permitted pages that are not hidden, without empty groups. */
export function visibleMenu(groups: readonly MenuGroup[], user: CurrentUser): MenuGroup[] {
  return groups
    .map((group) => ({
      ...group,
      children: group.children.filter((page) => !page.hidden && isPermitted(page, user)),
    }))
    .filter((group) => group.children.length > 0);
}

/** A page and its group. */
export interface Place {
  group: MenuGroup;
  page: MenuPage;
}

/** Finds a path in the menu, ignoring letter case as the router does. Undefined if it is not in the menu. */
export function placeOf(groups: readonly MenuGroup[], pathname: string): Place | undefined {
  const normalized = pathname.toLowerCase().replace(/\/+$/, '');
  for (const group of groups) {
    const page = group.children.find((candidate) => candidate.path.toLowerCase() === normalized);
    if (page) return { group, page };
  }
  return undefined;
}
