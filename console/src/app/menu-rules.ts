import type { CurrentUser } from '@hengfu/contract/session';
import { hasPerm } from '../platform/session-store.ts';
import type { MenuGroup, MenuPage } from './menu.ts';

/** Roles must meet, ROOT meets all; then any one of the page's perms is enough (specification, point 6). */
export function isPermitted(page: Pick<MenuPage, 'roles' | 'perms'>, user: CurrentUser): boolean {
  if (user.roles.includes('ROOT')) return true;
  const rolesMeet = page.roles.some((role) => user.roles.includes(role));
  return rolesMeet && (page.perms === undefined || hasPerm(user, ...page.perms));
}

/** What the menu shows to a user: permitted, not hidden, no empty group. */
export function visibleMenu(groups: readonly MenuGroup[], user: CurrentUser): MenuGroup[] {
  return groups
    .map((group) => ({
      ...group,
      children: group.children.filter((page) => !page.hidden && isPermitted(page, user)),
    }))
    .filter((group) => group.children.length > 0);
}

/** A page and the group it stands in. */
export interface Place {
  group: MenuGroup;
  page: MenuPage;
}

/** The page of a path; letter case does not matter, as in the router. Undefined for a path outside of the menu. */
export function placeOf(groups: readonly MenuGroup[], pathname: string): Place | undefined {
  const wanted = pathname.toLowerCase().replace(/\/+$/, '');
  for (const group of groups) {
    const page = group.children.find((candidate) => candidate.path.toLowerCase() === wanted);
    if (page) return { group, page };
  }
  return undefined;
}
